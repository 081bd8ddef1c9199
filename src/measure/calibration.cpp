#include "measure/calibration.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <limits>
#include <numeric>
#include <thread>
#include <vector>

#include "elements.hpp"
#include "measure/load.hpp"
#include "measure/machine.hpp"
#include "measure/noise.hpp"
#include "measure/prepared.hpp"
#include "measure/representatives.hpp"
#include "measure/sampling.hpp"
#include "onefold/backend.hpp"
#include "onefold/report.hpp"
#include "onefold/version.hpp"

namespace onefold::measure {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::int64_t page_bytes = 16 << 10;
constexpr std::int64_t MiB = 1 << 20;

/// Seconds for one look at a figure, unless it takes five calls longer.
constexpr double budget = 0.05;

/// What several threads do is looked at so often.
constexpr int passes = 5;

/// Starting anything takes that long, seconds.
constexpr double least = 1e-7;

/// Bytes for each thread where starting is measured: of a page each, oneTBB's caller would have done the others' before
/// they come.
constexpr std::int64_t part = 4 * page_bytes;

/// OpenMP's threads spin for some milliseconds when their work is done; after a pause they sleep.
constexpr auto pause = std::chrono::milliseconds(20);

/// Seconds for one look at what other programs do.
constexpr double look_at_others = 0.25;

/// Calls over the first bytes of the first copy.
summary calls_of(int operation, dtype element, arena& data, std::int64_t bytes, const options& how) {
  const std::int64_t n = detail::elements_in(bytes, element);
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
  double best;  ///< other processes that use the machine for a while can make a look worse, never better
  double mean;  ///< what calls cost in the long run: a team waits for a thread that is not scheduled, and so does this
};

options on(backend b, int threads = 0) {
  options how;
  how.backend = b;
  how.threads = threads;
  how.environment = false;
  return how;
}

class calibration {
 public:
  calibration(double patience, const std::function<void(const std::string&)>& begin)
      : begin_(begin), patience_(patience), data_(location::host, beyond_caches(p_), 1) {}

  calibration_result run() {
    if (wait_for_quiet()) measure_all();
    p_.measured.date = now();
    p_.measured.version = ONEFOLD_VERSION;
    p_.measured.disturbed = !disturbance_.empty();
    return {p_, disturbance_};
  }

 private:
  void measure_all() {
    fill_with_small_numbers(data_, dtype::f32);
    bool go_on = step("caches and memory", [&] { p_.one_thread = rates_of(on(backend::sequential), 1, 0); }) &&
                 step("operations", [&] { prices(); });
    if (p_.processors > 1)
      for (const backend_info& b : backends()) {
        if (!b.available || is_accelerator(b.backend) || b.backend == backend::sequential) continue;
        go_on =
            go_on && step(std::string("threads of ") + name_of(b.backend), [&] { team(b.backend, p_.of(b.backend)); });
      }
    if (const auto gpu = go_on ? measurable_accelerator() : std::nullopt) step("the GPU", [&] { device(*gpu); });
  }

  void tell(const std::string& what) const {
    if (begin_) begin_(what);
  }

  /// Whether disturbed figures are worth the time that the rest takes.
  bool takes_anything() const { return patience_ == 0; }

  bool patience_is_over() const { return std::chrono::duration<double>(clock::now() - begun_).count() > patience_; }

  /// Waits until other programs leave the processors alone; whether there is a point in going on.
  bool wait_for_quiet() {
    tell("checking what else runs on this machine");
    while (true) {
      const load others = look_at_load(look_at_others);
      p_.measured.load = others.average;
      if (!others.busy()) break;
      if (patience_is_over()) {
        disturbance_ = others.text();
        return takes_anything();
      }
      tell("waiting for a quiet machine: " + others.text());
    }
    begun_ = clock::now();  // the steps have a patience of their own
    return true;
  }

  /// Measures until nothing disturbs it; whether there is a point in going on.
  template <class Work>
  bool step(const std::string& name, Work work) {
    for (std::string again;; again = "again ") {
      tell(std::string("measuring ").append(again).append(name));
      const watch watched;
      const processor_time before = processor_time_now();
      const auto start = clock::now();
      disagreement_ = 0;
      work();
      const double seconds = std::chrono::duration<double>(clock::now() - start).count();
      const double waited = std::max(watched.waited(), stolen_between(before, processor_time_now(), seconds));
      if (!is_noisy(waited, disagreement_)) return true;
      if (!patience_is_over()) continue;
      if (disturbance_.empty()) disturbance_ = name + ": " + noise_text(waited, disagreement_);
      return takes_anything();
    }
  }

  /// UTC, as ISO 8601 writes it.
  static std::string now() {
    const std::time_t seconds = std::time(nullptr);
    std::tm t{};
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &t));
    return text;
  }

  static std::int64_t beyond_caches(const machine_profile& p) {
    const std::int64_t most = std::min(available_memory() / 4, 1024 * MiB);
    return std::max(p.processors * std::max(p.l2, part), std::min(std::max(4 * p.l3, 64 * MiB), most));
  }

  /// Looks at sums, with pauses between the looks.
  looked look_at_sums(std::int64_t bytes, const options& how) {
    looked found{std::numeric_limits<double>::infinity(), 0};
    std::vector<double> medians;
    for (int i = 0; i < passes; ++i) {
      std::this_thread::sleep_for(pause);
      const summary times = sums_of(data_, bytes, how);
      found.best = std::min(found.best, times.median);
      medians.push_back(times.median);
      const double sum = std::accumulate(times.values.begin(), times.values.end(), 0.0);
      found.mean += sum / static_cast<double>(times.samples) / passes;
    }
    disagreement_ = std::max(disagreement_, summary_of(std::move(medians)).spread());
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
      const std::int64_t elements = detail::elements_in(data.bytes(), r.element);
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
    for (int i = 0; i < 3 * passes; ++i) {
      // The caller is busy with other things.
      for (const auto end = clock::now() + pause; clock::now() < end;) {
      }
      const auto begin = clock::now();
      sum.run(data_.first(), n);
      seconds.push_back(std::chrono::duration<double>(clock::now() - begin).count());
    }
    return {hot, std::max(hot, summary_of(std::move(seconds)).lower_quartile - folding)};
  }

  void device(backend gpu) {
    accelerator_specifications sheet{};
    accelerator_failure failed{};
    if (!accelerator_of(gpu)->specifications(-1, &sheet, &failed)) throw error(failed.code, failed.text);
    const auto [launch, from_memory] = line(gpu, location::device, 256 * MiB);
    const auto [transfer, from_pinned] = line(gpu, location::pinned, 128 * MiB);
    const auto [ignored, from_pageable] = line(gpu, location::host, 128 * MiB);
    p_.device = {sheet.name, launch, transfer, from_memory, from_pinned, from_pageable};
  }

  /// A straight line through a short and a long call: seconds of none, bytes a second.
  static std::pair<double, double> line(backend gpu, location where, std::int64_t bytes) {
    constexpr std::int64_t few = 64 << 10;
    const auto seconds = [&](std::int64_t size) {
      arena host(location::host, size, 1);
      fill_with_small_numbers(host, dtype::f32);
      if (where == location::host) return sums_of(host, size, on(gpu)).median;
      arena there(where, size, 1, gpu);
      there.fill(host.first());
      return sums_of(there, size, on(gpu)).median;
    };
    const double low = seconds(few), high = std::max(seconds(bytes), low + least);
    const double rate = static_cast<double>(bytes - few) / (high - low);
    return {std::max(least, low - static_cast<double>(few) / rate), rate};
  }

  const std::function<void(const std::string&)>& begin_;
  double patience_;
  clock::time_point begun_ = clock::now();
  double disagreement_ = 0;  ///< the widest spread of the looks at one figure of a step
  std::string disturbance_;
  machine_profile p_ = builtin_profile();
  arena data_;  ///< longer than any cache; what is shorter is its beginning
};

}  // namespace

calibration_result calibrated(double patience, const std::function<void(const std::string&)>& begin) {
  return calibration(patience, begin).run();
}

}  // namespace onefold::measure
