// What the kernels of row operations are given.
#pragma once

#include "onefold/detail/cuda/outputs.cuh"
#include "rows/elements.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// What is made of a line from its statistic.
enum class line_result : std::int32_t {
  softmax,
  log_softmax,
  logsumexp,
  by_moments,   ///< (x - mean) / sqrt(m2 / n + epsilon)
  by_squares,   ///< x / sqrt(q / n + epsilon)
  by_norm,      ///< x / max(norm, epsilon)
};

/// What a launch over long lines is for: their pages do not fit into one block's registers.
enum class line_phase : std::int32_t { all, fold, write };

/// Lines and what is to be made of them.
template <class T, class S>
struct line_arguments {
  using V = line_value<T>;
  const T* data;
  T* out;
  device_axes from, to;           ///< where lines begin
  std::int64_t along, to_along;   ///< from an element of a line to the next
  std::int64_t lines, n;
  line_result kind;
  double epsilon;
  const T *weight, *bias;         ///< null or n values
  V *mean, *scale;                ///< null or a value a line
  line_phase phase;
  std::int64_t pages;             ///< of a line, in phases fold and write
  S *states, *totals;             ///< of the pages, and of lines
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
