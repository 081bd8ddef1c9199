#include "measure/calibration.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <numeric>
#include <thread>
#include <vector>

#include "measure/machine.hpp"
#include "measure/prepared.hpp"
#include "measure/sampling.hpp"
#include "onefold/backend.hpp"
#include "onefold/report.hpp"

namespace onefold::measure {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::int64_t page_bytes = 16 << 10;
constexpr std::int64_t MiB = 1 << 20;

/// Seconds for one look at a figure, unless it takes five calls longer.
constexpr double budget = 0.05;

/// What several threads do is looked at so often.
constexpr int turns = 5;

/// Starting anything takes that long, seconds.
constexpr double least = 1e-7;

/// Bytes for each thread where starting is measured: of a page each, oneTBB's caller would have done the others' before
/// they come.
constexpr std::int64_t part = 4 * page_bytes;

/// OpenMP's threads spin for some milliseconds when their work is done; after a pause they sleep.
constexpr auto pause = std::chrono::milliseconds(20);

/// Whom a class's price is taken from.
struct representative {  // NOLINT(clang-analyzer-optin.performance.Padding): in the order in which one reads
  cost_class of;
  int operation;
  dtype element;
  accuracy mode;
};
constexpr representative representatives[] = {
    {cost_class::light, operation_index<op::sum>, dtype::i8, accuracy::native},
    {cost_class::light, operation_index<op::sum>, dtype::f16, accuracy::native},
    {cost_class::light, operation_index<op::sum>, dtype::i32, accuracy::native},
    {cost_class::light, operation_index<op::count>, dtype::f64, accuracy::native},
    {cost_class::search, operation_index<op::argmax>, dtype::f16, accuracy::native},
    {cost_class::search, operation_index<op::argmax>, dtype::f32, accuracy::native},
    {cost_class::search, operation_index<op::argmax>, dtype::f64, accuracy::native},
    {cost_class::moments, operation_index<op::variance>, dtype::i8, accuracy::native},
    {cost_class::moments, operation_index<op::variance>, dtype::f16, accuracy::native},
    {cost_class::moments, operation_index<op::variance>, dtype::f32, accuracy::native},
    {cost_class::moments, operation_index<op::variance>, dtype::f64, accuracy::native},
    {cost_class::wide, operation_index<op::mean>, dtype::i8, accuracy::native},
    {cost_class::wide, operation_index<op::sum>, dtype::f16, accuracy::wide},
    {cost_class::wide, operation_index<op::sum>, dtype::f32, accuracy::wide},
    {cost_class::wide, operation_index<op::sum>, dtype::f64, accuracy::wide},
    {cost_class::compensated, operation_index<op::mean>, dtype::i8, accuracy::kahan},
    {cost_class::compensated, operation_index<op::sum>, dtype::f16, accuracy::kahan},
    {cost_class::compensated, operation_index<op::sum>, dtype::f32, accuracy::kahan},
    {cost_class::compensated, operation_index<op::sum>, dtype::f64, accuracy::kahan},
    {cost_class::exact, operation_index<op::sum>, dtype::f16, accuracy::exact},
    {cost_class::exact, operation_index<op::sum>, dtype::f32, accuracy::exact},
    {cost_class::exact, operation_index<op::sum>, dtype::f64, accuracy::exact},
};

/// Calls over the first bytes of the first copy.
summary calls_of(int operation, dtype element, arena& data, std::int64_t bytes, const options& how) {
  const std::int64_t n = bytes / size_of(element);
  prepared reduction(operation, element, n, how);
  effort e;
  e.seconds = budget;
  return *sample(e, [&](std::int64_t calls) { reduction.repeat(data, n, calls); });
}

summary sums_of(arena& data, std::int64_t bytes, const options& how) {
  return calls_of(operation_index<op::sum>, dtype::f32, data, bytes, how);
}

/// Seconds of a call, from several looks.
struct looked {
  double best;  ///< others who use the machine for a while can make a look worse, never better
  double mean;  ///< what calls cost in the long run: a team waits for a thread that is not scheduled, and so does this
};

options on(backend b, int threads = 0) {
  options how;
  how.backend = b;
  how.threads = threads;
  return how;
}

class calibration {
 public:
  explicit calibration(const std::function<void(const std::string&)>& begin)
      : begin_(begin), data_(location::host, beyond_caches(p_), 1) {}

  machine_profile run() {
    step("caches and memory");
    fill_with_small_numbers(data_, dtype::f32);
    p_.one_thread = rates_of(on(backend::sequential), 1, 0);
    step("operations");
    prices();
    if (p_.processors > 1)
      for (const backend_info& b : backends()) {
        if (!b.available || (b.backend != backend::openmp && b.backend != backend::tbb)) continue;
        step(std::string("threads of ") + name_of(b.backend));
        team(b.backend, b.backend == backend::openmp ? p_.openmp : p_.tbb);
      }
    if (const accelerator* gpu = the_accelerator()) {
      step("the GPU");
      device(*gpu);
    }
    return p_;
  }

 private:
  void step(const std::string& name) const {
    if (begin_) begin_(name);
  }

  static std::int64_t beyond_caches(const machine_profile& p) {
    const std::int64_t most = std::min(available_memory() / 4, 1024 * MiB);
    return std::max(p.processors * std::max(p.l2, part), std::min(std::max(4 * p.l3, 64 * MiB), most));
  }

  /// Looks at sums, with pauses between the looks.
  looked look_at_sums(std::int64_t bytes, const options& how) {
    looked found{std::numeric_limits<double>::infinity(), 0};
    for (int i = 0; i < turns; ++i) {
      std::this_thread::sleep_for(pause);
      const summary times = sums_of(data_, bytes, how);
      found.best = std::min(found.best, times.median);
      const double sum = std::accumulate(times.values.begin(), times.values.end(), 0.0);
      found.mean += sum / static_cast<double>(times.samples) / turns;
    }
    return found;
  }

  /// What `threads` threads read from each level, in calls of which starting them takes `start` seconds.
  machine_profile::rates rates_of(const options& how, int threads, double start) {
    const auto rate = [&](std::int64_t wanted) {
      const std::int64_t bytes = std::min(wanted, data_.bytes());
      const double seconds = look_at_sums(bytes, how).best;
      return static_cast<double>(bytes) / std::max(seconds - start, seconds / 10);
    };
    const double l2 = rate(threads * p_.l2 / 2);
    // Between what the second level holds and the third: for one thread, and for all where theirs is less.
    const double l3 = p_.l3 > p_.l2 ? rate(std::max(p_.l3 / 2, std::min(p_.l3, threads * p_.l2 + MiB))) : l2;
    return {l2, l3, rate(data_.bytes())};
  }

  void prices() {
    for (const representative& r : representatives) {
      arena data(location::host, std::min<std::int64_t>(p_.l2 / 2, 16 * page_bytes), 1);
      fill_with_small_numbers(data, r.element);
      options how = on(backend::sequential);
      how.accuracy = r.mode;
      const int size = size_of(r.element);
      const std::int64_t elements = data.bytes() / size;
      std::size_t place = 0;
      while ((1 << place) < size) ++place;
      p_.elements[static_cast<std::size_t>(r.of)][place] =
          static_cast<double>(elements) / calls_of(r.operation, r.element, data, data.bytes(), how).median;
    }
  }

  void team(backend b, machine_profile::team& t) {
    const options how = on(b, p_.processors);
    t.two = start(on(b, 2), 2);
    t.all = p_.processors > 2 ? start(how, p_.processors) : t.two;
    const double quickest = look_at_sums(p_.processors * part, how).best - one_part();
    t.reads = rates_of(how, p_.processors, std::max(least, quickest));
  }

  /// Seconds of one thread that folds its part by itself.
  double one_part() { return look_at_sums(part, on(backend::sequential)).best; }

  /// What a call with a part for each thread takes beside folding one.
  machine_profile::start start(const options& how, int threads) {
    const std::int64_t bytes = threads * part, n = bytes / size_of(dtype::f32);
    const double folding = one_part();
    const double hot = std::max(least, look_at_sums(bytes, how).mean - folding);

    prepared sum(operation_index<op::sum>, dtype::f32, n, how);
    std::vector<double> seconds;
    for (int i = 0; i < 3 * turns; ++i) {
      // The caller is busy with other things.
      for (const auto end = clock::now() + pause; clock::now() < end;) {
      }
      const auto begin = clock::now();
      sum.run(data_.first(), n);
      seconds.push_back(std::chrono::duration<double>(clock::now() - begin).count());
    }
    return {hot, std::max(hot, summary_of(std::move(seconds)).lower_quartile - folding)};
  }

  void device(const accelerator& gpu) {
    accelerator_figures sheet{};
    accelerator_failure failed{};
    if (!gpu.figures(-1, &sheet, &failed)) throw error(failed.code, failed.text);
    const auto [launch, from_memory] = line(location::device, 256 * MiB);
    const auto [transfer, from_pinned] = line(location::pinned, 128 * MiB);
    const auto [ignored, from_pageable] = line(location::host, 128 * MiB);
    p_.device = {sheet.name, launch, transfer, from_memory, from_pinned, from_pageable};
  }

  /// A straight line through a short and a long call: seconds of none, bytes a second.
  static std::pair<double, double> line(location where, std::int64_t bytes) {
    constexpr std::int64_t few = 64 << 10;
    const auto seconds = [&](std::int64_t size) {
      arena host(location::host, size, 1);
      fill_with_small_numbers(host, dtype::f32);
      if (where == location::host) return sums_of(host, size, on(backend::cuda)).median;
      arena there(where, size, 1);
      there.fill(host.first());
      return sums_of(there, size, on(backend::cuda)).median;
    };
    const double low = seconds(few), high = std::max(seconds(bytes), low + least);
    const double rate = static_cast<double>(bytes - few) / (high - low);
    return {std::max(least, low - static_cast<double>(few) / rate), rate};
  }

  const std::function<void(const std::string&)>& begin_;
  machine_profile p_ = builtin_profile();
  arena data_;  ///< longer than any cache; what is shorter is its beginning
};

}  // namespace

void fill_with_small_numbers(arena& a, dtype element) {
  const std::int64_t n = a.bytes() / size_of(element);
  std::vector<std::byte> array(static_cast<std::size_t>(a.bytes()));
  for_each_type(element_types{}, [&]<class T>() {
    if (dtype_of<T> != element) return;
    for (std::int64_t i = 0; i < n; ++i) {
      const auto number = static_cast<int>((static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15) >> 58);
      T x;
      if constexpr (detail::is_integer<T>)
        x = static_cast<T>(number);
      else
        x = static_cast<T>(static_cast<float>(number) / 64);
      std::memcpy(array.data() + i * static_cast<std::int64_t>(sizeof(T)), &x, sizeof x);
    }
  });
  a.fill(array.data());
}

machine_profile calibrated(const std::function<void(const std::string&)>& begin) { return calibration(begin).run(); }

}  // namespace onefold::measure
