#include "bench/runner.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "bench/array.hpp"
#include "bench/combine.hpp"
#include "bench/outlook.hpp"
#include "input/failure.hpp"
#include "measure/device_time.hpp"
#include "measure/prepared.hpp"
#include "measure/read_limit.hpp"
#include "onefold/error.hpp"
#include "progress.hpp"

namespace onefold::cli {
namespace {

/// OpenMP's threads spin for some milliseconds when their work is done, and would slow the next row's down.
constexpr std::chrono::milliseconds pause{20};

std::string row_name(const setting& s) {
  return fmt::format("{} of {} {} on {}", operation_infos()[static_cast<std::size_t>(s.operation)].name, s.n,
                     name_of(s.element), name_of(s.backend));
}

options options_of(const setting& s) {
  options how;
  how.backend = s.backend;
  how.accuracy = s.mode;
  how.threads = s.threads;
  if (s.backend == backend::cuda) how.kernel = s.kernel;
  return how;
}

/// Only the canonical order is the sequential backend's.
bool has_own_order(const setting& s) {
  return s.backend == backend::cuda && s.kernel != kernel::canonical && s.kernel != kernel::automatic;
}

class runner {
 public:
  runner(const axes& a, const std::atomic<bool>& stop) : axes_(a) {
    effort_.seconds = a.seconds;
    effort_.stop = &stop;
  }

  findings run() {
    const std::vector<setting> rows = combined(axes_, found_.without);
    for (const setting& s : rows) require_memory(s, s.where == measure::location::pinned);
    if (!rows.empty()) {
      double expected = 0;
      for (const setting& s : rows) expected += expected_seconds(s);
      outlook ahead(rows.size(), expected);
      const progress shown([&](double seconds) { return ahead.line(seconds); });
      for (const setting& s : rows) {
        if (effort_.stop->load()) break;
        ahead.begin(row_name(s));
        try_row(s);
        ahead.end(expected_seconds(s));
      }
    }
    found_.interrupted = effort_.stop->load();
    compare();
    return std::move(found_);
  }

 private:
  /// Short rows take their time budget; beyond that the least number of samples counts.
  double expected_seconds(const setting& s) const {
    constexpr double bytes_per_second = 8e9;
    return axes_.seconds +
           static_cast<double>(effort_.least_samples) * static_cast<double>(s.bytes()) / bytes_per_second;
  }

  void try_row(const setting& s) {
    try {
      if (!array_ || !array_->is_of(s)) {
        array_.reset();  // before the next one is made
        references_.clear();
        limits_.clear();
        array_.emplace(s, axes_.seed, axes_.warm);
      }
      run_row(s);
    } catch (const error& e) {
      if (e.code() == error_code::invalid_argument) throw;
      leave_out(found_.without, {row_name(s) + ", " + name_of(s.mode), e.what(), e.code()});
    }
  }

  void run_row(const setting& s) {
    const std::vector<scalar>& expected = reference(s);
    measure::arena& data = array_->in(s.where);
    measure::prepared reduction(s.operation, s.element, s.n, options_of(s));
    std::this_thread::sleep_for(pause);
    bool same = true;
    const auto times = measure::sample(
        effort_, [&](std::int64_t calls) { reduction.repeat(data, s.n, calls); },
        [&] { same = same && measure::same_bits(reduction.result(), expected); });
    if (!times) return;
    measurement m{s, reduction.report(), *times, {}, {}, {}, {}, reduction.result()};
    if (!has_own_order(s)) m.same_bits = same;
    if (m.ran.backend != backend::cuda)
      m.limit = limit(m.ran.threads);
    else if (s.where == measure::location::device)
      m.device = measure::device_time(reduction, data, s.n);
    found_.rows.push_back(std::move(m));
  }

  /// What the sequential backend says.
  const std::vector<scalar>& reference(const setting& s) {
    std::vector<scalar>& result = references_[{s.operation, s.mode}];
    if (result.empty()) {
      options how;
      how.backend = backend::sequential;
      how.accuracy = s.mode;
      measure::prepared sequential(s.operation, s.element, s.n, how);
      sequential.run(array_->in(measure::location::host).first(), s.n);
      result = sequential.result();
    }
    return result;
  }

  /// Measured beside the first row that needs it; nothing where it was stopped.
  std::optional<double> limit(int threads) {
    const auto known = limits_.find(threads);
    if (known != limits_.end()) return known->second;
    std::this_thread::sleep_for(pause);
    return limits_[threads] = measure::read_limit(array_->in(measure::location::host), threads, effort_);
  }

  /// Sets each row beside the base's first row of the same reduction.
  void compare() {
    for (measurement& m : found_.rows) {
      const auto base = std::ranges::find_if(found_.rows, [&](const measurement& b) {
        return b.what.backend == axes_.base && b.what.operation == m.what.operation &&
               b.what.element == m.what.element && b.what.data == m.what.data && b.what.n == m.what.n &&
               b.what.mode == m.what.mode;
      });
      if (base != found_.rows.end()) m.speedup = base->seconds.median / m.seconds.median;
    }
  }

  const axes& axes_;
  measure::effort effort_;
  findings found_;
  std::optional<array_copies> array_;
  std::map<std::pair<int, accuracy>, std::vector<scalar>> references_;
  std::map<int, std::optional<double>> limits_;
};

}  // namespace

double measurement::gigabytes_per_second() const { return static_cast<double>(what.bytes()) / seconds.median / 1e9; }

std::optional<double> measurement::share() const {
  return limit ? std::optional(static_cast<double>(what.bytes()) / seconds.median / *limit) : std::nullopt;
}

findings measure_all(const axes& a, const std::atomic<bool>& stop) {
  findings found = runner(a, stop).run();
  if (found.rows.empty() && !found.interrupted) {
    // A backend that is missing is the reason only where there is no other.
    const auto& without = found.without;
    const auto other =
        std::ranges::find_if(without, [](const left_out& l) { return l.code != error_code::backend_unavailable; });
    const left_out& reason = other != without.end() ? *other : without.front();
    throw error(reason.code, fmt::format("no row can be measured: {}: {}", reason.what, reason.why));
  }
  return found;
}

}  // namespace onefold::cli
