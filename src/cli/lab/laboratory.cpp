// Measuring and judging one array.
#include "lab/laboratory.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "lab/left_fold.hpp"
#include "measure/noise.hpp"
#include "measure/statistics.hpp"
#include "onefold/error.hpp"

namespace onefold::cli {
namespace {

using clock = std::chrono::steady_clock;

/// Times some calls: at least 3, then up to 9 or until 50 ms are gone.
template <class Call>
measure::summary times_of(Call call) {
  const measure::watch watched;
  std::vector<double> times;
  double total = 0;
  while (times.size() < 3 || (times.size() < 9 && total < 0.05)) {
    const auto start = clock::now();
    call();
    times.push_back(std::chrono::duration<double>(clock::now() - start).count());
    total += times.back();
  }
  measure::summary s = measure::summary_of(std::move(times));
  s.waited = watched.waited();
  return s;
}

void set_times(finding& f, const measure::summary& times) {
  f.seconds = times.median;
  f.waited = times.waited;
  f.noisy = times.noisy();
}

}  // namespace

finding judged(std::string mode, const scalar& value, const exact_reference& exact) {
  finding f;
  f.mode = std::move(mode);
  f.value = value;
  f.error = exact.error_of(value);
  const double size = std::fabs(exact.value()), error = std::fabs(f.error);
  f.relative = error == 0 ? 0 : size == 0 ? std::numeric_limits<double>::infinity() : error / size;
  if (error == 0)
    f.ulps = 0;
  else if (size != 0 && std::isfinite(size))
    f.ulps = error / ulp_at(number_of(exact.rounded(value.type)), value.type);
  return f;
}

finding judged(accuracy a, const scalar& value, const run_report& ran, const exact_reference& exact) {
  finding f = judged(name_of(a), value, exact);
  f.ran = ran;
  f.bound = exact.bound(a);
  return f;
}

void study::add(finding f) {
  const auto first = std::ranges::find(findings, f.mode, &finding::mode);
  f.agrees = first == findings.end() || first->value.bits == f.value.bits;
  findings.push_back(std::move(f));
}

bool is_missing(error_code code) {
  return code == error_code::unsupported || code == error_code::backend_unavailable || code == error_code::overflow;
}

error no_mode(const missing& first) {
  const std::string who = first.backend ? fmt::format(" of {}", name_of(*first.backend)) : "";
  return {first.code, fmt::format("no mode can be measured: {}{}: {}", first.mode, who, first.why)};
}

bool finding::within_bound() const { return !bound || std::fabs(error) <= *bound; }

double study::gigabytes_per_second(const finding& f) const {
  return f.seconds > 0 ? static_cast<double>(what.count) * size_of(what.type) / f.seconds / 1e9 : 0;
}

int passes(const experiment& how) { return 2 + static_cast<int>(how.backends.size() * how.accuracies.size()); }

study examine(const specimen& what, std::span<const std::byte> elements, const experiment& how,
              progress_counter& counted) {
  const auto reduced = [&](backend who, accuracy a, std::int64_t n) {
    options chosen = how.how;
    chosen.backend = who;
    chosen.accuracy = a;
    return reduce_dynamic(how.operation, what.type, elements.data(), n, chosen);
  };
  // One element first: a backend that cannot run says so before the long work.
  dtype result{};
  for (const backend who : how.backends)
    result = reduced(who, accuracy::native, std::min<std::int64_t>(what.count, 1)).values[0].type;

  const auto known = reference_of(how.operation, what.type);
  known->push(elements, counted);
  const exact_reference& exact = *known;
  study s{what, exact.rounded(result), exact.magnitude(), exact.condition(), {}, {}};

  scalar value;
  const measure::summary times = times_of([&] {
    left_fold all(how.operation, what.type);
    all.push(elements);
    value = all.value();
  });
  s.findings.push_back(judged("left fold", value, exact));
  set_times(s.findings.back(), times);
  counted.bytes += elements.size();

  for (const accuracy a : how.accuracies)
    for (const backend who : how.backends) {
      try {
        dynamic_result r;
        const measure::summary its = times_of([&] { r = reduced(who, a, what.count); });
        finding f = judged(a, r.values[0], r.ran, exact);
        set_times(f, its);
        s.add(std::move(f));
      } catch (const error& e) {
        if (how.strict || !is_missing(e.code())) throw;
        s.left_out.push_back({name_of(a), who, e.what(), e.code()});
      }
      counted.bytes += elements.size();
    }
  return s;
}

}  // namespace onefold::cli
