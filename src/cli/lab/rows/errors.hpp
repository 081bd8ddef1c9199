// How far the results of lines are from the exact ones.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "lab/rows/quad.hpp"
#include "onefold/types.hpp"

namespace onefold::cli {

/// Errors over all results of an array. Those that agree with an exact result that is NaN or infinite, or that the type
/// rounds to infinity, have none; others that are not finite are infinitely far off.
struct row_errors {
  double ulps = 0;         ///< largest, in units in the last place of the exact result; where that is 0 none counts
  double mean_ulps = 0;    ///< their mean
  std::int64_t line = 0;   ///< where the largest is, from 0
  std::int64_t place = 0;  ///< and where along the line
  double relative = 0;     ///< largest error over the exact result; infinite where that is 0 and the error is not
  double absolute = 0;     ///< largest error
  std::optional<double>
      off_1;  ///< largest |1 - sum of a line's results|; of lines with finite results, of softmax only
};

/// Those of results of a type, `length` a line. `sums`: whether each line's results should add up to 1.
row_errors errors_of(std::span<const quad> exact, std::span<const double> results, dtype type, std::size_t length,
                     bool sums);

}  // namespace onefold::cli
