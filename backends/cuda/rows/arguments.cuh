// What the kernels of row operations are given.
#pragma once

#include "onefold/row_request.hpp"
#include "rows/selected.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Lines and what is to be made of them.
template <class T>
struct line_arguments {
  using V = line_value<T>;
  const T* data;
  T* out;
  device_axes from, from_along, to, to_along;  ///< where lines begin and how they go on: elements, results
  std::int64_t first;                          ///< the number of the first line, as `from`, `to` and statistics count
  std::int64_t lines, n;
  const std::int64_t* counts;   ///< null: all elements are selected; or how many of each line are,
  const std::uint32_t* places;  ///< and where they are in it, with room for n a line
  row_operation operation;
  double epsilon;
  const T *weight, *bias;  ///< null or n values
  V *mean, *scale;         ///< null or a value a line
  bool folds = false;      ///< the launch makes the states of pages, and others do the rest
  std::int64_t parts = 1;  ///< of a line, each by a block: those of a cluster, or pages where lines are read twice
  void *states = nullptr, *totals = nullptr;  ///< of the pages, and what is the same for all pages of a line

  /// A line's first element, result and statistics.
  __device__ __forceinline__ const T* elements(std::int64_t line) const { return data + from.offset(first + line); }
  __device__ __forceinline__ T* results(std::int64_t line) const { return out + to.offset(first + line); }
  __device__ __forceinline__ void write_statistics(std::int64_t line, V a, V r) const {
    if (mean) mean[first + line] = a;
    if (scale) scale[first + line] = r;
  }
};

/// How many elements of a line count.
template <bool Selects, class A>
__device__ __forceinline__ std::int64_t size_of_line(const A& a, std::int64_t line) {
  if constexpr (Selects)
    return a.counts[line];
  else
    return a.n;
}

/// Elements of a line, or their results, from number `first` on: they begin at p and go on along the axes.
template <class Place, class A, class E>
__device__ __forceinline__ auto line_from(const A& a, std::int64_t line, E* p, const device_axes& along,
                                          std::int64_t first) {
  if constexpr (Place::selects)
    return selected_line<E>{p + first, a.places + line * a.n + first};
  else
    return Place::begin(p, along, first);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
