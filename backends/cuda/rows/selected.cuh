// The place of lines of selected elements: their elements follow each other, and those of weights lie where a list
// says.
#pragma once

#include "rows/places.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The selected elements of a line, or their results, from some number on.
template <class T>
struct selected_line {
  T* p;
  const std::uint32_t* places;  ///< in the line, where weights are asked for
  __device__ __forceinline__ T& operator[](int i) const { return p[i]; }
};

/// The weights, or biases, of the same elements.
template <class T>
struct selected_parameters {
  const T* p;
  const std::uint32_t* places;
  __device__ __forceinline__ const T& operator[](int i) const { return p[places[i]]; }
};

/// As spread_over_warp.
template <class T, int K_>
struct selected_over_warp : spread_over_warp<T, K_> {
  static constexpr bool selects = true;
  template <class E>
  __device__ __forceinline__ static selected_parameters<T> parameters(const T* all, const selected_line<E>& line,
                                                                      std::int64_t) {
    return {all, line.places};
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
