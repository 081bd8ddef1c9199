// The states of a row over packs: one column after the other, what is before them in front, and lane by lane to memory.
#pragma once

#include "onefold/detail/pack_shape.hpp"
#include "onefold/detail/scan/prefixes.hpp"
#include "onefold/detail/unroll.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Calls f(c) for the columns from First to before Last, or down from Last - 1. Where the states of a row fit the
/// registers, each has its own code.
template <class F, class T, int First, int Last, bool Down = false, class Function>
ONEFOLD_INLINE void each_column(const Function& f) {
  using shape = pack_shape<F, T>;
  if constexpr (members<typename shape::S, typename shape::V>::count == 1 && shape::columns <= 16) {
    ONEFOLD_UNROLL(16)
    for (int i = First; i < Last; ++i) f(Down ? First + Last - 1 - i : i);
  } else {
    ONEFOLD_UNROLL(4)
    for (int i = First; i < Last; ++i) f(Down ? First + Last - 1 - i : i);
  }
}

/// A state in all lanes of a pack.
template <class F, class T>
ONEFOLD_INLINE auto in_all_lanes(const lane_state<F, T>& s) {
  using shape = pack_shape<F, T>;
  const auto one = members<lane_state<F, T>, typename shape::value>::of(s);
  members<typename shape::S, typename shape::V> all;
  for (int m = 0; m < all.count; ++m) all.m[m] = splat<typename shape::V>(one.m[m]);
  return all.state();
}

/// Combines the states of a row with the nodes before its page.
template <class F, class T, class S>
ONEFOLD_INLINE void put_in_front(const F& f, const left_nodes<F, tree_state<F, T>>& nodes,
                                 S (&v)[pack_shape<F, T>::columns]) {
  for (int k = 0; k < nodes.count(); ++k) {
    const S node = in_all_lanes<F, T>(nodes[k]);
    each_column<F, T, 0, pack_shape<F, T>::columns>([&](int c) { v[c] = f.combine(node, v[c]); });
  }
}

/// The states of lanes, one after the other.
template <class F, class T, class S>
ONEFOLD_INLINE void store_lanes(const S (&v)[pack_shape<F, T>::columns], lane_state<F, T>* to) {
  using shape = pack_shape<F, T>;
  using parts = members<S, typename shape::V>;
  typename shape::value* const values = reinterpret_cast<typename shape::value*>(to);
  for (int c = 0; c < shape::columns; ++c) {
    const parts all = parts::of(v[c]);
    if constexpr (parts::count == 1 || shape::width == 1) {
      __builtin_memcpy(values + c * shape::width * parts::count, &all, sizeof all);
    } else {
      for (int i = 0; i < shape::width; ++i)
        for (int m = 0; m < parts::count; ++m) values[(c * shape::width + i) * parts::count + m] = all.m[m][i];
    }
  }
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
