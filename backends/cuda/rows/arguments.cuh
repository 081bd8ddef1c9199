// What the kernels of row operations are given.
#pragma once

#include "onefold/row_request.hpp"
#include "rows/elements.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Lines and what is to be made of them.
template <class T, class S>
struct line_arguments {
  using V = line_value<T>;
  const T* data;
  T* out;
  device_axes from, from_along, to, to_along;  ///< where lines begin and how they go on: elements, results
  std::int64_t lines, n;
  row_operation operation;
  double epsilon;
  const T *weight, *bias;  ///< null or n values
  V *mean, *scale;         ///< null or a value a line
  // Of lines that are too long for the registers of a block.
  std::int64_t pages;     ///< of a line; 0: a block has all of it
  std::int64_t group;     ///< lines that are folded before any of them is written
  S *states, *totals;     ///< of the pages, and of lines
  std::uint32_t* folded;  ///< for each line, how many pages are folded, and one more when they are joined
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
