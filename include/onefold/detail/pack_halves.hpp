// The states of a row's columns on their way to one lane: kept, added, and halved.
#pragma once

#include "onefold/detail/pack_shape.hpp"
#include "onefold/detail/unroll.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The states of rows of fold F over elements T.
template <class F, class T>
struct pack_halves {
  using shape = pack_shape<F, T>;
  using value = typename shape::value;
  using S = typename shape::S;
  using lane = typename shape::lane;
  static constexpr int columns = shape::columns;

  /// How many states of a row are kept: all, or the half to which they halve first, for a stack of 16 KiB.
  static constexpr int kept = columns > 1 && columns * sizeof(S) > 8 << 10 ? columns / 2 : columns;

  /// Column c of a row, all columns before which are there already.
  ONEFOLD_INLINE static void keep(const F& f, S (&row)[kept], int c, const S& s) {
    if (kept == columns || c < kept)
      row[c] = s;
    else
      row[c - kept] = f.combine(row[c - kept], s);
  }

  /// A row's states a[c] become a[c] + b[c].
  ONEFOLD_INLINE static void add(const F& f, S (&a)[columns], const S (&b)[columns]) {
    ONEFOLD_UNROLL(16)
    for (int c = 0; c < columns; ++c) a[c] = f.combine(a[c], b[c]);
  }

  /// Halves the lanes of a row until a pack is left: lane j takes lane j + w, w = lanes/2, ..., width. Packs from
  /// `used` on hold nothing and are passed over.
  ONEFOLD_INLINE static S halve_columns(const F& f, S (&row)[kept], int used) {
    for (int w = kept / 2; w >= 1; w /= 2)
      for (int c = 0; c < w && c + w < used; ++c) row[c] = f.combine(row[c], row[c + w]);
    return row[0];
  }

  /// Halves the lanes of a pack; values from `values` on hold nothing.
  template <int W>
  ONEFOLD_INLINE static lane halve_pack(const F& f, const typename F::template state<pack<value, W>>& s, int values) {
    if constexpr (W == 1) {
      return s;
    } else {
      constexpr int H = W / 2;
      using low_state = typename F::template state<pack<value, H>>;
      using half = members<low_state, pack<value, H>>;
      const auto all = members<typename F::template state<pack<value, W>>, pack<value, W>>::of(s);
      half low, high;
      for (int i = 0; i < half::count; ++i) {
        low.m[i] = half_of<0>(all.m[i]);
        high.m[i] = half_of<H>(all.m[i]);
      }
      return halve_pack<H>(f, values > H ? f.combine(low.state(), high.state()) : low.state(), values);
    }
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
