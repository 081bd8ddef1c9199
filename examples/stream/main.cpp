// The sum of a file that may be larger than memory: one block is folded while the next one is read.
#include <cstdio>
#include <future>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "onefold/onefold.hpp"

namespace {

using sums = onefold::accumulator<float, onefold::op::sum>;

constexpr std::size_t block = 1 << 20;  // elements: 4 MiB, a multiple of a page

/// Reads the next elements of a file; returns how many there were.
std::size_t read(std::FILE* file, std::vector<float>& to) {
  return std::fread(to.data(), sizeof(float), to.size(), file);
}

sums sum_of_file(std::FILE* file) {
  sums total;
  std::vector<float> now(block), next(block);
  for (std::size_t n = read(file, now); n > 0; std::swap(now, next)) {
    auto reading = std::async(std::launch::async, read, file, std::ref(next));
    total.push(std::span(now).first(n));
    n = reading.get();
  }
  return total;
}

}  // namespace

int main() {
  std::vector<float> values(5 * block / 2 + 3);
  std::mt19937 random(1);
  for (float& x : values) x = static_cast<float>(random()) / 4294967296.0f;

  std::FILE* const file = std::tmpfile();
  if (!file) return 1;
  if (std::fwrite(values.data(), sizeof(float), values.size(), file) != values.size()) return 1;
  std::rewind(file);
  const sums total = sum_of_file(file);
  std::fclose(file);
  std::printf("%lld elements, sum %.9g\n", static_cast<long long>(total.count()), total.result());
  std::printf("the bits of a reduction of the whole: %s\n", total.result() == onefold::sum(values) ? "yes" : "no");
}
