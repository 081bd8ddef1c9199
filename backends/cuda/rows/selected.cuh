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

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
