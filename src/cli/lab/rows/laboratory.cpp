// Who works on the lines of an array, and how far off they are.
#include "lab/rows/laboratory.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "input/failure.hpp"
#include "input/with_type.hpp"
#include "lab/rows/line_reference.hpp"
#include "lab/rows/peers.hpp"
#include "lab/rows/plain_loop.hpp"
#include "lab/rows/shape.hpp"
#include "lab/rows/show.hpp"
#include "onefold/detail/numbers.hpp"
#include "onefold/detail/row_engine.hpp"
#include "quantity.hpp"

namespace onefold::cli {
namespace {

/// The eps that the library takes where none is given.
double default_eps(row_operation operation) {
  const axis line{1, 1};
  const std::span<const axis> axes(&line, 1);
  return detail::make_rows(operation, dtype::f64, {axes},
                           operation == row_operation::logsumexp ? std::span<const axis>{} : axes, 0, {}, {})
      .what.eps;
}

/// Elements as f64, which holds each exactly.
std::vector<double> widened(dtype type, std::span<const std::byte> elements) {
  std::vector<double> numbers;
  with_type(type, [&]<class T>() {
    const std::span<const T> x(reinterpret_cast<const T*>(elements.data()), elements.size() / sizeof(T));
    numbers.resize(x.size());
    if constexpr (detail::is_float<T>)
      std::ranges::transform(x, numbers.begin(), [](T e) { return detail::as_double(e); });
  });
  return numbers;
}

/// The lines of one array, and what is found out about them.
class row_examination {
 public:
  row_examination(row_study& s, row_operation operation, double eps, std::span<const std::byte> elements,
                  progress_counter& counted)
      : study_(s), operation_(operation), eps_(eps), elements_(elements), counted_(counted) {
    const auto length = static_cast<std::size_t>(s.line), given = results_of_line(operation, length);
    const std::vector<double> x = widened(s.what.type, elements);
    exact_.resize(x.size() / length * given);
    for (std::size_t i = 0; i < x.size() / length; ++i) {
      exact_line(operation, std::span(x).subspan(i * length, length), eps, std::span(exact_).subspan(i * given, given));
      counted.bytes += length * static_cast<std::size_t>(size_of(s.what.type));
    }
  }

  /// What a backend gives. Throws as dynamic_row_plan does.
  row_finding by_backend(backend who, accuracy a, options how, std::vector<std::byte>& results) {
    const axis axes[] = {{study_.what.count / study_.line, study_.line}, {study_.line, 1}};
    how.backend = who;
    how.accuracy = a;
    dynamic_row_plan plan(operation_, study_.what.type, axes, -1, {}, how);
    results.resize(exact_.size() * static_cast<std::size_t>(size_of(study_.what.type)));
    plan.run({elements_.data(), results.data(), nullptr, nullptr, nullptr, nullptr}, plan.size());
    row_finding f = row_judged(name_of(a), results);
    f.ran = plan.report();
    return f;
  }

  void add_plain_loop() {
    study_.findings.push_back(row_judged("plain loop", plain_rows(operation_, study_.what.type, elements_,
                                                                  static_cast<std::size_t>(study_.line), eps_)));
  }

  void add_peers() {
    for (row_peer& p : peers_of(operation_, study_.what.type, elements_, static_cast<std::size_t>(study_.line), eps_))
      if (p.why.empty())
        study_.findings.push_back(row_judged(std::move(p.name), p.results));
      else
        study_.left_out.push_back({std::move(p.name), {}, std::move(p.why), error_code::unsupported});
  }

 private:
  row_finding row_judged(std::string mode, std::span<const std::byte> results) {
    counted_.bytes += elements_.size();
    const auto given = results_of_line(operation_, static_cast<std::size_t>(study_.line));
    return {std::move(mode),
            {},
            errors_of(exact_, widened(study_.what.type, results), study_.what.type, given,
                      operation_ == row_operation::softmax)};
  }

  row_study& study_;
  row_operation operation_;
  double eps_;
  std::span<const std::byte> elements_;
  progress_counter& counted_;
  std::vector<quad> exact_;
};

}  // namespace

row_inquiry::row_inquiry(experiment how, std::vector<std::int64_t> lines)
    : how_(std::move(how)), lines_(std::move(lines)), eps_(default_eps(asked())) {}

std::string row_inquiry::operation() const {
  return std::string(row_operation_names()[static_cast<std::size_t>(how_.operation)]);
}

std::vector<std::int64_t> row_inquiry::lines_of(const specimen& what) const {
  return lines_.empty() ? std::vector{what.line.value_or(what.count)} : lines_;
}

int row_inquiry::passes(const specimen& what) const {
  const axis element{1, 1};
  static_cast<void>(dynamic_row_plan(asked(), what.type, {&element, 1}, 0, {}, {.backend = backend::sequential}));
  const std::vector<std::int64_t> lines = lines_of(what);
  for (const std::int64_t line : lines)
    if (what.count % line != 0)
      throw failure(exit_code::wrong_usage, fmt::format("{}{}: expected a multiple of the line's {}, found {}",
                                                        lines_.empty() ? "" : "--line: ", what.name,
                                                        detail::quantity(line, "element"), what.count));
  constexpr int reference_plain_and_peers = 5;
  const auto runs = static_cast<int>(how_.accuracies.size() * (how_.backends.size() + 1));
  return static_cast<int>(lines.size()) * (runs + reference_plain_and_peers);
}

void row_inquiry::examine(const specimen& what, std::span<const std::byte> elements, progress_counter& counted) {
  for (const std::int64_t line : lines_of(what)) {
    row_study& s = studies_.emplace_back(row_study{what, line, {}, {}});
    row_examination lines(s, asked(), eps_, elements, counted);
    lines.add_plain_loop();
    for (const accuracy a : how_.accuracies) {
      std::vector<std::byte> sequential, results;
      const auto tried = [&](std::optional<backend> missing_of, const auto& run) {
        try {
          run();
          return true;
        } catch (const error& e) {
          if (how_.strict || !is_missing(e.code())) throw;
          s.left_out.push_back({name_of(a), missing_of, e.what(), e.code()});
          return false;
        }
      };
      row_finding first;
      if (!tried({}, [&] { first = lines.by_backend(backend::sequential, a, how_.how, sequential); })) continue;
      for (const backend who : how_.backends)
        if (who == backend::sequential)
          s.findings.push_back(first);
        else
          tried(who, [&] {
            row_finding f = lines.by_backend(who, a, how_.how, results);
            f.agrees = results == sequential;
            s.findings.push_back(std::move(f));
          });
    }
    lines.add_peers();
  }
}

void row_inquiry::require_findings() const {
  const auto has_run = [](const row_finding& f) { return f.ran.has_value(); };
  if (std::ranges::any_of(studies_, [&](const row_study& s) { return std::ranges::any_of(s.findings, has_run); }))
    return;
  throw no_mode(studies_.front().left_out.front());
}

void row_inquiry::complain() const {
  std::ptrdiff_t different = 0;
  for (const row_study& s : studies_) different += std::ranges::count(s.findings, false, &row_finding::agrees);
  if (different > 0)
    throw failure(
        exit_code::failed,
        fmt::format("{} results differ from the sequential backend's: please report this as a bug", different));
}

std::string row_inquiry::as_text() const { return rows_as_text(studies_, operation()); }
std::string row_inquiry::as_json() const { return rows_as_json(studies_, operation()); }
std::string row_inquiry::as_csv() const { return rows_as_csv(studies_, operation()); }

}  // namespace onefold::cli
