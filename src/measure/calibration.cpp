#include "measure/calibration.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

#include "measure/machine.hpp"
#include "measure/prepared.hpp"
#include "measure/read_limit.hpp"
#include "onefold/backend.hpp"
#include "onefold/report.hpp"

namespace onefold::measure {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::int64_t page_bytes = 16 << 10;
constexpr std::int64_t MiB = 1 << 20;

/// Seconds for one look at a figure, unless it takes five calls longer.
constexpr double budget = 0.05;

/// What several threads do together is measured so often, and the best counts: others who use the machine for a while
/// can make it worse, never better.
constexpr int turns = 5;

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

/// Seconds of a call over the whole of the first copy.
double seconds_of(int operation, dtype element, arena& data, const options& how) {
  const std::int64_t n = data.bytes() / size_of(element);
  prepared reduction(operation, element, n, how);
  effort e;
  e.seconds = budget;
  return sample(e, [&](std::int64_t calls) { reduction.repeat(data, n, calls); })->median;
}

double sum_seconds(arena& data, const options& how) {
  return seconds_of(operation_index<op::sum>, dtype::f32, data, how);
}

/// The greatest of several turns, with pauses between them.
template <class Measure>
double best_of_turns(Measure&& measure) {
  double best = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < turns; ++i) {
    std::this_thread::sleep_for(pause);
    best = std::max<double>(best, measure());
  }
  return best;
}

options on(backend b, int threads = 0) {
  options how;
  how.backend = b;
  how.threads = threads;
  return how;
}

class calibration {
 public:
  explicit calibration(const std::function<void(const std::string&)>& begin) : begin_(begin) {}

  machine_profile run() {
    step("caches and memory");
    roofs();
    step("operations");
    prices();
    if (p_.processors > 1)
      for (const backend_info& b : backends()) {
        if (!b.available || (b.backend != backend::openmp && b.backend != backend::tbb)) continue;
        step(std::string("threads of ") + name_of(b.backend));
        starts(b.backend, b.backend == backend::openmp ? p_.openmp : p_.tbb);
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

  void roofs() {
    const std::int64_t all_l2 = p_.l2 * p_.processors;
    p_.from_l2 = roof(p_.l2 / 2, all_l2 / 2);
    // Between what the second level holds and the third: for one thread, and for all where theirs is less.
    if (p_.l3 > p_.l2) p_.from_l3 = roof(p_.l3 / 2, std::max(p_.l3 / 2, std::min(p_.l3, all_l2 + MiB)));
    const std::int64_t beyond = std::min(std::max(4 * p_.l3, 64 * MiB), std::min(available_memory() / 4, 1024 * MiB));
    p_.from_memory = roof(beyond, beyond);
  }

  /// The rate of one thread is a sum's; what more of them bring is measured without the start of threads.
  machine_profile::roof roof(std::int64_t of_one, std::int64_t of_all) const {
    arena data(location::host, of_all, 1);
    fill_with_small_numbers(data, dtype::f32);
    arena first(location::host, of_one, 1);
    first.fill(data.first());
    const double thread =
        best_of_turns([&] { return static_cast<double>(of_one) / sum_seconds(first, on(backend::sequential)); });
    if (p_.processors == 1) return {thread, thread};
    effort e;
    e.seconds = budget;
    const double one = best_of_turns([&] { return *read_limit(first, 1, e); });
    const double all = best_of_turns([&] { return read_limit(data, p_.processors, e).value_or(one); });
    return {thread, thread * std::max(1.0, all / one)};
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
          static_cast<double>(elements) / seconds_of(r.operation, r.element, data, how);
    }
  }

  void starts(backend b, machine_profile::team& t) const {
    t.two = start(b, 2);
    t.all = p_.processors > 2 ? start(b, p_.processors) : t.two;
  }

  /// What a call takes beside the folding, of an array whose parts the threads have in their second levels.
  machine_profile::start start(backend b, int threads) const {
    constexpr double least = 1e-7;
    arena data(location::host, threads * p_.l2 / 2, 1);
    fill_with_small_numbers(data, dtype::f32);
    const options how = on(b, threads);
    const double bytes = static_cast<double>(data.bytes());
    const double folding = bytes / std::min(threads * p_.from_l2.thread, p_.from_l2.all);
    const double hot = -best_of_turns([&] { return -sum_seconds(data, how); }) - folding;

    const std::int64_t n = data.bytes() / size_of(dtype::f32);
    prepared sum(operation_index<op::sum>, dtype::f32, n, how);
    std::vector<double> seconds;
    for (int i = 0; i < 3 * turns; ++i) {
      // The caller is busy with other things.
      for (const auto end = clock::now() + pause; clock::now() < end;) {
      }
      const auto begin = clock::now();
      sum.run(data.first(), n);
      seconds.push_back(std::chrono::duration<double>(clock::now() - begin).count());
    }
    const double cold = summary_of(std::move(seconds)).lower_quartile - folding;
    return {std::max(least, hot), std::max({least, hot, cold})};
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
    constexpr double least = 1e-7;
    constexpr std::int64_t few = 64 << 10;
    const auto seconds = [&](std::int64_t size) {
      arena host(location::host, size, 1);
      fill_with_small_numbers(host, dtype::f32);
      if (where == location::host) return sum_seconds(host, on(backend::cuda));
      arena there(where, size, 1);
      there.fill(host.first());
      return sum_seconds(there, on(backend::cuda));
    };
    const double low = seconds(few), high = std::max(seconds(bytes), low + least);
    const double rate = static_cast<double>(bytes - few) / (high - low);
    return {std::max(least, low - static_cast<double>(few) / rate), rate};
  }

  const std::function<void(const std::string&)>& begin_;
  machine_profile p_ = builtin_profile();
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
