// Registers the rows: each contender over arrays of each size.
#include "rows.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <string>

#include "data.hpp"

namespace bench {
namespace {

constexpr std::int64_t few = 8000;  // 1000 elements of f64, for exact sums
constexpr std::int64_t sizes[] = {few, 64 << 10, 256 << 10, 1 << 20, 16 << 20, 1 << 30};

std::int64_t element_size(const std::string& type) { return std::stoi(type.substr(1)) / 8; }

// A fast wrong answer is no answer. Sums of floating-point elements may round, whatever their order.
bool plausible(const std::string& row, double got, const sample& s) {
  if (row == "sum" || row == "exact") return std::abs(got - s.sum) <= 1e-4 * s.magnitude;
  if (row == "max") return got == s.max;
  return true;
}

void run(benchmark::State& state, const contender& c, std::int64_t bytes, int threads, bool& checked) {
  const sample& s = sample_of(c.type, bytes, c.row == "hostile");
  const auto reduce = c.prepare(bytes / element_size(c.type), threads);
  if (!checked && c.name.find("read") != 0 && !plausible(c.row, reduce(s.data), s)) {
    state.SkipWithError("the result is wrong");
    return;
  }
  checked = true;
  for (auto _ : state) benchmark::DoNotOptimize(reduce(s.data));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * bytes);
}

}  // namespace

void register_rows(runtime used, int threads, std::int64_t max_bytes) {
  std::vector<contender> list;
  add_onefold(list, used, threads);
  add_limits(list);
  add_peers(list);
  add_superaccumulator(list);
  for (const contender& c : list) {
    // What starts no threads belongs to the rows of one thread; what starts others, to another process.
    if (threads > 1 && c.needs != used) continue;
    for (const std::int64_t bytes : sizes) {
      if (bytes > max_bytes || (bytes == few && c.row != "exact")) continue;
      const std::string name = c.row + "/" + c.type + "/" + std::to_string(bytes) + "/" + std::to_string(threads) +
                               "/" + c.name + "/" + c.flavour;
      benchmark::RegisterBenchmark(
          name.c_str(),
          [=, checked = false](benchmark::State& state) mutable { run(state, c, bytes, threads, checked); })
          ->UseRealTime()
          ->Unit(benchmark::kNanosecond);
    }
  }
}

}  // namespace bench
