// What repeated measurements say: median, extremes, quartiles.
#pragma once

#include <cstddef>
#include <vector>

namespace onefold::measure {

/// A sample in five numbers. Between two values of the sample a quantile is on the line through them.
struct summary {
  std::size_t samples;
  double minimum, lower_quartile, median, upper_quartile, maximum;
  std::vector<double> values;  ///< all of them, sorted

  /// The middle half's width over the median: how much the runs differ, whatever a few of them met. 0 for a median of
  /// 0.
  double spread() const;
};

/// The summary of two samples as one.
summary joined(const summary& a, const summary& b);

/// Of at least one value; throws std::invalid_argument for none.
summary summary_of(std::vector<double> values);

}  // namespace onefold::measure
