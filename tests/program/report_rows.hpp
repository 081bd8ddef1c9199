// Measurements made by hand, and a report of them.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "measure/noise.hpp"
#include "report/chapter.hpp"
#include "report/compose.hpp"
#include "report/rows.hpp"

namespace onefold::cli {

inline constexpr auto seq = backend::sequential, omp = backend::openmp, tbb = backend::tbb, gpu = backend::cuda;

/// A sum of n elements that took so many seconds, without noise.
inline measurement measured(backend who, std::int64_t n, double seconds) {
  measurement m{};
  m.what = {operation_index<op::sum>, dtype::f32, "uniform",         n, accuracy::native,
            measure::location::host,  who,        kernel::canonical, 0};
  m.ran.backend = who;
  m.seconds = measure::summary_of({seconds, seconds, seconds});
  return m;
}

/// The same, with noise.
inline measurement disturbed(measurement m) {
  m.seconds.waited = 2 * measure::most_waited;
  return m;
}

/// A report with one chapter.
inline record with(const chapter& c, std::vector<measurement> all) {
  record r{};
  r.asked.set = "quick";
  r.date = "2026-01-01T00:00:00Z";
  r.facts = std::make_shared<const nlohmann::ordered_json>(
      nlohmann::ordered_json{{"build", {{"onefold", "1"}}}, {"machine", {{"CPU", "one"}}}});
  r.parts.push_back({c.name, {}, {std::move(all), {}, false}});
  return r;
}

}  // namespace onefold::cli
