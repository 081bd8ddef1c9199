// The states of many lanes in memory, member by member, so that a pack of neighbouring ones is a load for each member.
#pragma once

#include "onefold/detail/pack_page.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

template <class F, class T>
struct lane_array {
  using page = pack_page<F, T>;
  using V = typename page::V;
  using S = typename page::S;
  using value = typename page::value;
  using lane = typename page::lane;
  using parts = members<S, V>;
  static constexpr int width = page::width;

  /// The most lanes: a row of 4 KiB of elements, which CPUs prefetch well, or states of 8 KiB, of which their
  /// first-level caches hold several.
  static constexpr int most = [] {
    constexpr int by_elements = 4096 / static_cast<int>(sizeof(T)), by_states = 8192 / static_cast<int>(sizeof(lane));
    constexpr int smaller = by_elements < by_states ? by_elements : by_states;
    return smaller < width ? width : smaller / width * width;
  }();
  /// From one member to the next: the last pack may be written beyond the last lane.
  static constexpr int stride = most + width;
  /// Values of an array.
  static constexpr int values = stride * parts::count;

  ONEFOLD_INLINE static S get(const value* a) {
    parts s;
    for (int m = 0; m < parts::count; ++m) s.m[m] = load<V>(a + m * stride);
    return s.state();
  }
  ONEFOLD_INLINE static void set(value* a, const S& s) {
    const auto from = parts::of(s);
    for (int m = 0; m < parts::count; ++m) __builtin_memcpy(a + m * stride, &from.m[m], sizeof(V));
  }
  ONEFOLD_INLINE static lane get_one(const value* a) {
    members<lane, value> s;
    for (int m = 0; m < parts::count; ++m) s.m[m] = a[m * stride];
    return s.state();
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
