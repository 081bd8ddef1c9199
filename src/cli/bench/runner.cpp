#include "bench/runner.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <span>
#include <thread>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "bench/array.hpp"
#include "bench/combine.hpp"
#include "bench/eta.hpp"
#include "input/failure.hpp"
#include "measure/device_time.hpp"
#include "measure/occupancy.hpp"
#include "measure/prepared.hpp"
#include "measure/read_limit.hpp"
#include "onefold/error.hpp"
#include "progress.hpp"

namespace onefold::cli {
namespace {

/// OpenMP's threads spin for some milliseconds when their work is done, and would slow the next row's down.
constexpr std::chrono::milliseconds pause{20};

std::string_view operation_name(const setting& s) {
  return operation_infos()[static_cast<std::size_t>(s.operation)].name;
}

std::string row_name(const setting& s) {
  const std::string size = s.shape.empty() ? fmt::format("{}", s.n) : fmt::format("{}", fmt::join(s.shape, "x"));
  return fmt::format("{} of {} {} on {}", operation_name(s), size, name_of(s.element), name_of(s.backend));
}

/// The rows that an error is true of: where a backend declines the reduction, those of every length.
std::string failed_rows(const setting& s, error_code code) {
  if (code != error_code::unsupported && code != error_code::backend_unavailable)
    return fmt::format("{}, {}", row_name(s), name_of(s.mode));
  return fmt::format("{} of {} on {}, {}", operation_name(s), name_of(s.element), name_of(s.backend), name_of(s.mode));
}

options options_of(const setting& s) {
  options how;
  how.backend = s.backend;
  how.accuracy = s.mode;
  how.threads = s.threads;
  if (is_accelerator(s.backend)) how.kernel = s.kernel;
  return how;
}

/// Only the canonical order is the sequential backend's.
bool has_own_order(const setting& s) {
  return is_accelerator(s.backend) && s.kernel != kernel::canonical && s.kernel != kernel::automatic;
}

class runner {
 public:
  runner(const work_list& work, const std::atomic<bool>& stop) : work_(work) {
    effort_.seconds = work.how.seconds;
    effort_.stop = &stop;
    found_.without = work.without;
  }

  findings run(eta& ahead) {
    for (const setting& s : work_.rows) {
      if (effort_.stop->load()) break;
      ahead.begin(row_name(s));
      try_row(s);
      ahead.end(work_.expected_seconds(s));
    }
    found_.interrupted = effort_.stop->load();
    set_speedups(found_.rows, work_.how.base);
    return std::move(found_);
  }

 private:
  void try_row(const setting& s) {
    try {
      if (!array_ || !array_->is_of(s)) {
        array_.reset();  // before the next one is made
        references_.clear();
        shaped_references_.clear();
        limits_.clear();
        array_.emplace(s, work_.how.seed, work_.how.warm, work_.how.file.get());
      }
      if (s.shape.empty())
        run_row(s);
      else
        run_shaped_row(s);
    } catch (const error& e) {
      if (e.code() == error_code::invalid_argument) throw;
      leave_out(found_.without, {failed_rows(s, e.code()), e.what(), e.code()});
    }
  }

  void run_row(const setting& s) {
    const std::vector<scalar>& expected = reference(s);
    measure::arena& data = array_->in(s.where, s.backend);
    measure::prepared reduction(s.operation, s.element, s.n, options_of(s));
    std::this_thread::sleep_for(pause);
    bool same = true;
    const auto times = measure::sample(
        effort_, [&](std::int64_t calls) { reduction.repeat(data, s.n, calls); },
        [&] { same = same && measure::same_bits(reduction.result(), expected); });
    if (!times) return;
    measurement m{s, reduction.report(), *times, {}, {}, {}, {}, {}, reduction.result()};
    if (!has_own_order(s)) m.same_bits = same;
    if (!is_accelerator(m.ran.backend)) m.limit = limit(m.ran.threads);
    found_.rows.push_back(std::move(m));
    if (is_accelerator(s.backend) && s.where == measure::location::device) ask_device(reduction, data);
  }

  /// The same over some axes.
  void run_shaped_row(const setting& s) {
    measure::arena& data = array_->in(s.where, s.backend);
    measure::prepared_shape reduction = prepared_for(s, options_of(s));
    const std::vector<std::byte>& expected = shaped_reference(s);
    std::this_thread::sleep_for(pause);
    bool same = true;
    const auto times = measure::sample(
        effort_, [&](std::int64_t calls) { reduction.repeat(data, calls); },
        [&] { same = same && reduction.bits() == expected; });
    if (!times) return;
    measurement m{s, reduction.report(), *times, {}, {}, {}, {}, {}, {}};
    m.results = reduction.size();
    m.bits_hash = reduction.bits_hash();
    if (!has_own_order(s)) m.same_bits = same;
    if (!is_accelerator(m.ran.backend)) m.limit = limit(m.ran.threads);
    found_.rows.push_back(std::move(m));
  }

  static measure::prepared_shape prepared_for(const setting& s, const options& how) {
    const array_view<char> like(nullptr, std::span(s.shape));
    return {s.operation, s.element, like.axes(), over_axes(s.reduced), how};
  }

  /// What only the device knows of the last row.
  void ask_device(measure::prepared& reduction, measure::arena& data) {
    measurement& m = found_.rows.back();
    m.device = measure::device_time(reduction, data, m.what.n);
    m.occupancy = measure::theoretical_occupancy(reduction, data, m.what.n);
  }

  /// What the sequential backend says.
  const std::vector<scalar>& reference(const setting& s) {
    std::vector<scalar>& result = references_[{s.operation, s.mode}];
    if (result.empty()) {
      options how;
      how.backend = backend::sequential;
      how.accuracy = s.mode;
      measure::prepared sequential(s.operation, s.element, s.n, how);
      sequential.run(array_->in_host_memory().first(), s.n);
      result = sequential.result();
    }
    return result;
  }

  const std::vector<std::byte>& shaped_reference(const setting& s) {
    std::vector<std::byte>& bits = shaped_references_[{s.operation, s.mode, s.shape, s.reduced}];
    if (bits.empty()) {
      measure::prepared_shape sequential = prepared_for(s, {.backend = backend::sequential, .accuracy = s.mode});
      sequential.run(array_->in_host_memory().first());
      bits = sequential.bits();
    }
    return bits;
  }

  /// Measured beside the first row that needs it; nothing where it was stopped.
  std::optional<double> limit(int threads) {
    const auto known = limits_.find(threads);
    if (known != limits_.end()) return known->second;
    std::this_thread::sleep_for(pause);
    return limits_[threads] = measure::read_limit(array_->in_host_memory(), threads, effort_);
  }

  const work_list& work_;
  measure::effort effort_;
  findings found_;
  std::optional<array_copies> array_;
  std::map<std::pair<int, accuracy>, std::vector<scalar>> references_;
  std::map<std::tuple<int, accuracy, std::vector<std::int64_t>, std::vector<int>>, std::vector<std::byte>>
      shaped_references_;
  std::map<int, std::optional<double>> limits_;
};

}  // namespace

double measurement::gigabytes_per_second() const { return static_cast<double>(what.bytes()) / seconds.median / 1e9; }

std::optional<double> measurement::share() const {
  return limit ? std::optional(static_cast<double>(what.bytes()) / seconds.median / *limit) : std::nullopt;
}

// Short rows take their time budget; beyond that the least number of samples counts.
double work_list::expected_seconds(const setting& s) const {
  constexpr double bytes_per_second = 8e9;
  return how.seconds +
         static_cast<double>(measure::effort{}.least_samples) * static_cast<double>(s.bytes()) / bytes_per_second;
}

double work_list::expected_seconds() const {
  double all = 0;
  for (const setting& s : rows) all += expected_seconds(s);
  return all;
}

work_list listed(const axes& a) {
  work_list work{a, {}, {}};
  work.rows = combined(a, work.without);
  for (const setting& s : work.rows) require_memory(s, s.where == measure::location::pinned);
  return work;
}

void set_speedups(std::vector<measurement>& rows, backend base) {
  for (measurement& m : rows) {
    const auto first = std::ranges::find_if(
        rows, [&](const measurement& b) { return b.what.backend == base && same_reduction(b.what, m.what); });
    if (first == rows.end()) continue;
    m.speedup = first->seconds.median / m.seconds.median;
    m.base_noisy = first->seconds.noisy();
  }
}

findings measure(const work_list& work, eta& ahead, const std::atomic<bool>& stop) {
  return runner(work, stop).run(ahead);
}

void require_sound(const std::vector<const findings*>& all) {
  std::size_t rows = 0, wrong = 0;
  for (const findings* found : all) {
    rows += found->rows.size();
    wrong += static_cast<std::size_t>(
        std::ranges::count_if(found->rows, [](const measurement& m) { return m.same_bits == false; }));
  }
  if (wrong > 0)
    throw failure(exit_code::failed,
                  fmt::format("{} of {} rows have other bits than the sequential backend: please report this as a bug",
                              wrong, rows));
  for (const findings* found : all)
    for (const left_out& l : found->without)
      if (l.code == error_code::device) throw failure(exit_code::failed, l.what + ": " + l.why);
}

error why_no_row(const std::vector<left_out>& without) {
  // A backend that is missing is the reason only where there is no other.
  const auto other =
      std::ranges::find_if(without, [](const left_out& l) { return l.code != error_code::backend_unavailable; });
  const left_out& reason = other != without.end() ? *other : without.front();
  return {reason.code, fmt::format("no row can be measured: {}: {}", reason.what, reason.why)};
}

findings measure_all(const axes& a, const std::atomic<bool>& stop) {
  const work_list work = listed(a);
  eta ahead(work.rows.size(), work.expected_seconds());
  findings found = [&] {
    const progress shown([&](double seconds) { return ahead.line(seconds); });
    return measure(work, ahead, stop);
  }();
  if (found.rows.empty() && !found.interrupted) throw why_no_row(found.without);
  return found;
}

}  // namespace onefold::cli
