// A baseline for the CPU: a plain loop, a vectorized one, OpenMP, onefold, and a loop that only reads, measured alike.
#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <span>
#include <vector>

#include "onefold/onefold.hpp"

namespace {

constexpr std::size_t n = std::size_t{1} << 26;  // 256 MiB: more than the caches of most CPUs

float plain(const float* x, std::size_t count) {
  float s = 0;
  for (std::size_t i = 0; i < count; ++i) s += x[i];  // each addition waits for the one before
  return s;
}

float vectorized(const float* x, std::size_t count) {
  float s[32] = {};  // independent sums: the compiler keeps them in vector registers
  for (std::size_t i = 0; i < count; i += 32)
    for (std::size_t k = 0; k < 32; ++k) s[k] += x[i + k];
  float total = 0;
  for (const float one : s) total += one;
  return total;
}

float parallel(const float* x, std::size_t count) {
  float s = 0;
  const std::size_t part = count / 64;
#pragma omp parallel for num_threads(2) reduction(+ : s)
  for (std::size_t i = 0; i < 64; ++i) s += vectorized(x + i * part, part);
  return s;
}

float read_only(const float* x, std::size_t count) {
  std::uint32_t s[32] = {};  // the cheapest work that still needs every element
  for (std::size_t i = 0; i < count; i += 32)
    for (std::size_t k = 0; k < 32; ++k) s[k] |= std::bit_cast<std::uint32_t>(x[i + k]);
  std::uint32_t any = 0;
  for (const std::uint32_t one : s) any |= one;
  return std::bit_cast<float>(any);
}

struct contender {
  const char* name;
  std::function<float(const float*, std::size_t)> sum;
  float result = 0;
  std::vector<double> seconds = {};
};

}  // namespace

int main() {
  std::vector<float> x(n);  // one element in 32 is 1: every order gives the exact sum, 2^21
  for (std::size_t i = 0; i < n; ++i) x[i] = i % 32 == 0 ? 1.0f : 0.0f;
  const auto onefold_with = [](onefold::backend backend, int threads) {
    return [=](const float* p, std::size_t count) {
      return onefold::reduce<float, onefold::op::sum>(std::span(p, count), {.backend = backend, .threads = threads});
    };
  };
  std::vector<contender> all = {{"plain loop", plain},
                                {"vectorized", vectorized},
                                {"onefold, 1 thread", onefold_with(onefold::backend::sequential, 1)},
                                {"only reading", read_only},
                                {"OpenMP, 2 threads", parallel},
                                {"onefold, 2 threads", onefold_with(onefold::backend::openmp, 2)}};
  for (int run = 0; run < 10; ++run)  // in turns, so that a slow moment hits all alike
    for (contender& c : all) {
      const auto begin = std::chrono::steady_clock::now();
      c.result = c.sum(x.data(), n);
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
      if (run > 0) c.seconds.push_back(took.count());  // the first run warms up: threads, pages, clock
    }
  for (contender& c : all) {
    std::sort(c.seconds.begin(), c.seconds.end());
    const double median = c.seconds[c.seconds.size() / 2];
    std::printf("%-20s %7.0f  %6.1f GB/s\n", c.name, static_cast<double>(c.result), 4e-9 * n / median);
  }
}
