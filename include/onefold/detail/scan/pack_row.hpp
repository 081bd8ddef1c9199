// The states of rows over packs: one column after the other, what is before them in front, and lane by lane to memory.
#pragma once

#include "onefold/detail/pack_shape.hpp"
#include "onefold/detail/scan/prefixes.hpp"
#include "onefold/detail/unroll.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The packs of the rows of a page that are scanned at once: two rows, where half of the registers hold their states,
/// else one. The prefixes of a row are a chain of some ten additions, one after the other, and its columns alone keep a
/// CPU waiting for them: with two, sums of f32 and f64 in L2 take 0.8 of the time (Zen 5, AVX-512).
template <class F, class T>
struct scan_shape : pack_shape<F, T> {
  using base = pack_shape<F, T>;
  /// Registers that the states of a row take.
  static constexpr int row_registers = base::columns * members<typename base::S, typename base::V>::count;
  static constexpr int rows = !is_order_free<F> && 2 * row_registers <= base::registers / 2 ? 2 : 1;
  static constexpr int packs = rows * base::columns;
  static constexpr int elements_at_once = rows * base::lanes;
  /// Whether the states of these rows stay in registers.
  static constexpr bool fits = rows * row_registers <= 16;
  /// How far ahead elements and results are asked for: one and a half pages of virtual memory, for CPUs prefetch within
  /// one.
  static constexpr int bytes_ahead = 6 << 10;
};

/// Calls f(c) for the packs from First to before Last, or down from Last - 1. Where they fit the registers, each has
/// its own code.
template <class F, class T, int First, int Last, bool Down = false, class Function>
ONEFOLD_INLINE void each_pack(const Function& f) {
  if constexpr (scan_shape<F, T>::fits) {
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

/// Combines the states of rows with the nodes before their page.
template <class F, class T, class S>
ONEFOLD_INLINE void put_in_front(const F& f, const left_nodes<F, tree_state<F, T>>& nodes,
                                 S (&v)[scan_shape<F, T>::packs]) {
  for (int k = 0; k < nodes.count(); ++k) {
    const S node = in_all_lanes<F, T>(nodes[k]);
    each_pack<F, T, 0, scan_shape<F, T>::packs>([&](int c) { v[c] = f.combine(node, v[c]); });
  }
}

/// The states of lanes, one after the other.
template <class F, class T, class S>
ONEFOLD_INLINE void store_lanes(const S (&v)[scan_shape<F, T>::packs], lane_state<F, T>* to) {
  using shape = scan_shape<F, T>;
  using parts = members<S, typename shape::V>;
  typename shape::value* const values = reinterpret_cast<typename shape::value*>(to);
  for (int c = 0; c < shape::packs; ++c) {
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
