// The rows: each contender over arrays of each size.
#include "rows.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <span>
#include <string>

#include "data.hpp"
#include "measure/arena.hpp"
#include "measure/machine.hpp"
#include "onefold/profile.hpp"
#include "operations.hpp"

namespace bench {
namespace {

constexpr std::int64_t few = 8000;  // 1000 elements of f64, for exact sums
constexpr std::int64_t sizes[] = {few, 64 << 10, 256 << 10, 1 << 20, 16 << 20, 256 << 20, 1 << 30};

// A fast wrong answer is not an answer. Sums of floating-point elements may round, whatever their order.
bool plausible(const std::string& row, double got, const sample& s) {
  if (row == "sum" || row == "exact") return std::abs(got - s.sum) <= 1e-4 * s.magnitude;
  if (row == "max") return got == s.max;
  return true;
}

// What a benchmark's calls reduce, one after the other: one array, or its copies in a random order, so that a CPU that
// reads ahead does not fetch the next of them.
class arrays {
 public:
  arrays(const sample& s, std::int64_t bytes, bool in_turn) : all_{s.data} {
    if (!in_turn) return;
    namespace measure = onefold::measure;
    const std::int64_t copies =
        measure::copies_beyond(onefold::builtin_profile().l3, bytes, measure::available_memory() / 4);
    if (copies == 1) return;
    memory_ = std::make_unique<measure::arena>(measure::location::host, bytes, copies);
    memory_->fill(s.data);
    all_.clear();
    for (std::int64_t i = 0; i < copies; ++i) all_.push_back(memory_->next());
    std::shuffle(all_.begin(), all_.end(), std::mt19937_64());
  }
  const void* next() {
    at_ = at_ + 1 < all_.size() ? at_ + 1 : 0;
    return all_[at_];
  }

 private:
  std::unique_ptr<onefold::measure::arena> memory_;
  std::vector<const void*> all_;
  std::size_t at_ = 0;
};

values values_of(const std::string& row) {
  return row == "hostile" ? values::hostile : is_of_positive(row) ? values::positive : values::usual;
}

// The copies of the last array asked for are kept: the contenders of a row have them in common.
arrays& arrays_of(const row& r, bool in_turn) {
  static std::string kept;
  static std::unique_ptr<arrays> all;
  const std::string key = r.who.type + std::to_string(r.bytes) + std::to_string(static_cast<int>(values_of(r.who.row)));
  if (key != kept) {
    all.reset();
    all = std::make_unique<arrays>(sample_of(r.who.type, r.bytes, values_of(r.who.row)), r.bytes, in_turn);
    kept = key;
  }
  return *all;
}

void run(benchmark::State& state, const row& r, int threads, bool in_turn, bool& checked) {
  arrays& data = arrays_of(r, in_turn);
  const auto reduce = r.who.prepare(r.n(), threads);
  const auto is_right = [&] {
    if (r.who.is_right) return r.who.is_right(data.next(), threads);
    if (is_operation(r.who.row)) {
      const void* const array = data.next();
      return bench::is_right(r.who.row, r.who.type, array, r.n(), reduce(array));
    }
    return plausible(r.who.row, reduce(data.next()), sample_of(r.who.type, r.bytes, values_of(r.who.row)));
  };
  if (!checked && r.who.name.find("read") != 0 && !is_right()) {
    state.SkipWithError("the result is wrong");
    return;
  }
  checked = true;
  for (auto _ : state) benchmark::DoNotOptimize(reduce(data.next()));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * r.bytes);
}

}  // namespace

std::int64_t row::n() const { return bytes / element_size(who.type); }

std::vector<row> rows_of(runtime used, int threads, std::int64_t max_bytes) {
  std::vector<contender> list;
  add_onefold(list, used, threads);
  add_limits(list);
  add_peers(list);
  add_superaccumulator(list);
  std::vector<row> found;
  for (const contender& c : list) {
    // What starts no threads belongs to the rows of one thread; what starts others, to another process.
    if (threads > 1 && c.needs != used) continue;
    const std::int64_t own = c.elements * element_size(c.type);  // bytes of a shape
    for (const std::int64_t bytes : own > 0 ? std::span(&own, 1) : std::span(sizes)) {
      if (bytes > std::min(max_bytes, c.most_bytes) || (bytes == few && c.row != "exact")) continue;
      found.push_back({c.row + "/" + c.type + "/" + std::to_string(bytes) + "/" + std::to_string(threads) + "/" +
                           c.name + "/" + c.flavor,
                       c, bytes});
    }
  }
  return found;
}

void register_rows(const std::vector<row>& rows, int threads, bool in_turn) {
  for (const row& r : rows)
    benchmark::RegisterBenchmark(
        r.name.c_str(),
        [=, checked = false](benchmark::State& state) mutable { run(state, r, threads, in_turn, checked); })
        ->UseRealTime()
        ->Unit(benchmark::kNanosecond);
}

}  // namespace bench
