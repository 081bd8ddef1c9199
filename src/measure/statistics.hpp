// What repeated measurements say: median, extremes, quartiles.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace onefold::measure {

/// A sample in five numbers. Between two values of the sample a quantile is on the line through them.
struct summary {
  std::size_t samples;
  double minimum, lower_quartile, median, upper_quartile, maximum;
  std::vector<double> values;  ///< all of them, sorted
  double waited = 0;           ///< share of the time in which threads of this process waited for a processor

  /// The middle half's width over the median: how much the runs differ, whatever a few of them met. 0 for a median of
  /// 0.
  double spread() const;

  /// Whether something disturbed the samples (measure/noise.hpp); what it was, in words.
  bool noisy() const;
  std::string noise() const;
};

/// The summary of two samples as one; each says as much of the time that threads waited as it has values.
summary joined(const summary& a, const summary& b);

/// Of at least one value; throws std::invalid_argument for none.
summary summary_of(std::vector<double> values);

}  // namespace onefold::measure
