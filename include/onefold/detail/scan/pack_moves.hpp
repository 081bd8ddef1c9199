// How values move within packs, and from one pack to its right neighbor.
#pragma once

#include <utility>

#include "onefold/detail/level.hpp"
#include "onefold/detail/pack.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The values of a after those of `before`, moved by W places to the right.
template <int W, class V, int... I>
ONEFOLD_INLINE V moved_right(V before, V a, std::integer_sequence<int, I...>) {
  constexpr int width = sizeof...(I);
#ifdef __CUDACC__  // nvcc loses the shuffle's list of indices on its way to the host compiler
  V r;
  for (int i = 0; i < width; ++i) r[i] = i < W ? before[width - W + i] : a[i - W];
  return r;
#else
  return __builtin_shufflevector(before, a, (width - W + I)...);
#endif
}

/// The last value in all places.
template <class V, int... I>
ONEFOLD_INLINE V last_everywhere(V a, std::integer_sequence<int, I...>) {
  constexpr int width = sizeof...(I);
  if constexpr (width == 1) {
    return a;
  } else {
#ifdef __CUDACC__
    return splat<V>(a[width - 1]);
#else
    return __builtin_shufflevector(a, a, (width - 1 + 0 * I)...);
#endif
  }
}

/// a's values, but b's in places that have bit W set.
template <int W, class V, int... I>
ONEFOLD_INLINE V alternating(V a, V b, std::integer_sequence<int, I...>) {
#ifdef __CUDACC__
  constexpr int width = sizeof...(I);
  V r;
  for (int i = 0; i < width; ++i) r[i] = (i & W) ? b[i] : a[i];
  return r;
#else
  return __builtin_shufflevector(a, b, (I & W ? static_cast<int>(sizeof...(I)) + I : I)...);
#endif
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
