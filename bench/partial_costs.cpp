// What the messages of a tree of partials cost: their bytes, and the times of save, load and join.
//
// usage: onefold_partial_costs. Prints a JSON array for bench/scale.py: partials of 2^level - 2 pages, which lie so
// that they have as many nodes as any of their length, 2 for each level.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "onefold/order.hpp"
#include "onefold/partial.hpp"
#include "onefold/reduce.hpp"

namespace {

namespace op = onefold::op;

const char* separator = "[\n";

/// Median nanoseconds of a call.
template <class F>
double nanoseconds(F call) {
  constexpr int samples = 31, calls = 64;
  std::vector<double> all;
  for (int i = 0; i < samples; ++i) {
    const auto start = std::chrono::steady_clock::now();
    for (int j = 0; j < calls; ++j) call();
    all.push_back(std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() / calls);
  }
  std::ranges::nth_element(all, all.begin() + samples / 2);
  return all[samples / 2];
}

/// The partial of the elements [begin, end), all of which are x.
template <class T, class Op>
onefold::partial<T, Op> folded(std::int64_t begin, std::int64_t end, onefold::accuracy mode) {
  static const std::vector<T> page(1 << 16, T(0.1f));
  onefold::options how;
  how.backend = onefold::backend::sequential;
  how.accuracy = mode;
  onefold::accumulator<T, Op> all(how, begin);
  for (std::int64_t n = 0; begin < end; begin += n) {
    n = std::min<std::int64_t>(end - begin, std::ssize(page));
    all.push(page.data(), n);
  }
  return all.partial();
}

/// `more`: elements that each part has after its last page border, and before its first one.
template <class T, class Op>
void measure(const char* name, onefold::accuracy mode, std::int64_t more) {
  constexpr std::int64_t page = onefold::page_elements(sizeof(T));
  for (int level = 2; level <= 16; level += 2) {
    const std::int64_t pages = std::int64_t{1} << level;
    const std::int64_t begin = page - more, middle = (pages - 1) * page + more, end = (2 * pages - 2) * page + more;
    const auto left = folded<T, Op>(begin, middle, mode), right = folded<T, Op>(middle, end, mode);
    const std::vector<std::byte> bytes = left.save();
    std::printf(
        "%s  {\"what\": \"%s\", \"level\": %d, \"bytes\": %zu, \"save_ns\": %.0f, \"load_ns\": %.0f, \"join_ns\": "
        "%.0f}",
        separator, name, level, bytes.size(), nanoseconds([&] { static_cast<void>(left.save()); }),
        nanoseconds([&] { static_cast<void>(onefold::partial<T, Op>::load(bytes)); }),
        nanoseconds([&] { static_cast<void>(join(left, right)); }));
    separator = ",\n";
  }
}

/// The partial of a rank's pages beside a reduction of the same: what an accumulator takes to be made.
void measure_start(std::int64_t pages) {
  const std::vector<float> x(static_cast<std::size_t>(pages * onefold::page_elements(sizeof(float))), 0.1f);
  onefold::options how;
  how.backend = onefold::backend::sequential;
  float sum = 0;
  std::printf("%s  {\"what\": \"start\", \"pages\": %lld, \"partial_ns\": %.0f, \"reduce_ns\": %.0f}", separator,
              static_cast<long long>(pages),
              nanoseconds([&] { static_cast<void>(onefold::partial<float, op::sum>(x, 0, how)); }),
              nanoseconds([&] { sum += onefold::reduce<float, op::sum>(x, how); }));
  if (sum < 0) std::puts("");
}

}  // namespace

int main() {
  constexpr auto native = onefold::accuracy::native, exact = onefold::accuracy::exact;
  measure<float, op::sum>("sum of f32", native, 0);
  measure<float, op::sum>("sum of f32, cut elsewhere", native, 2000);
  measure<double, op::variance>("variance of f64", native, 0);
  measure<double, op::sum>("exact sum of f64", exact, 0);
  measure_start(16);
  std::printf("\n]\n");
}
