// Folds up to a page of each of many rows over SIMD packs: the lanes of several rows are halved at once.
//
// One row alone ends in log2(width) dependent steps on ever shorter packs. `width` rows end together: two packs that
// hold the lanes of some rows each become one that holds half as many lanes of all of them, by two permutations and one
// combine, until a lane is a row.
#pragma once

#include "onefold/detail/runs.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Places in two packs, one after the other, of the lower or upper halves of their groups of 2 * Half lanes.
template <int Half, bool Upper>
ONEFOLD_INLINE constexpr int place_in_groups(int i) {
  return i / Half * 2 * Half + i % Half + (Upper ? Half : 0);
}

/// The lower or upper halves of all groups of 2 * Half lanes of a, then of b.
template <int Half, bool Upper, class V, int... I>
ONEFOLD_INLINE V halves_of_groups(V a, V b, std::integer_sequence<int, I...>) {
#ifdef __CUDACC__  // nvcc loses the shuffle's list of indices on its way to the host compiler
  constexpr int width = sizeof...(I);
  V r;
  for (int i = 0; i < width; ++i) {
    const int from = place_in_groups<Half, Upper>(i);
    r[i] = from < width ? a[from] : b[from - width];
  }
  return r;
#else
  return __builtin_shufflevector(a, b, place_in_groups<Half, Upper>(I)...);
#endif
}

/// Folds rows: of up to a page of neighbouring elements, whose first elements lie `across` elements apart. A state is
/// one number.
template <class F, class T>
struct pack_rows {
  using page = pack_page<F, T>;
  using S = typename page::S;
  using V = typename page::V;
  using stored = typename page::stored;
  using tree = tree_state<F, T>;
  static constexpr int width = page::width;

  /// Bytes of what they are folded in: an array of packs on the stack would do, but g++ 12 takes it for uninitialized.
  static constexpr int room_bytes = width * static_cast<int>(sizeof(S));

  /// pack_functions::rows.
  static void fold(const void* op, const void* data, std::int64_t across, int n, int count, void* states, void* room) {
    const F& f = object_of_recipe<F>(op);
    const stored* const p = static_cast<const stored*>(data);
    tree* const to = static_cast<tree*>(states);
    ONEFOLD_UNROLL(1)
    for (int first = 0; first < count; first += width) {
      const int rows = count - first < width ? count - first : width;
      const V packed = bits_as<V>(of_width(f, p + first * across, across, n, rows, static_cast<S*>(room)));
      lane_state<F, T> lanes[width];
      __builtin_memcpy(static_cast<void*>(lanes), &packed, sizeof packed);
      tree closed[width];
      for (int i = 0; i < width; ++i) closed[i] = to_tree<F, T>(f, lanes[i]);
      if (rows == width) [[likely]]
        __builtin_memcpy(static_cast<void*>(to + first), closed, sizeof closed);
      else
        __builtin_memcpy(static_cast<void*>(to + first), closed, static_cast<std::size_t>(rows) * sizeof(tree));
    }
  }

 private:
  /// The states of up to `width` rows as the values of one pack. Rows beyond the last are the last one again.
  ONEFOLD_INLINE static S of_width(const F& f, const stored* p, std::int64_t across, int n, int rows, S* packs) {
    if constexpr (width == 1) {
      return page::part_pack(f, p, n);
    } else {
      int group = width;
      if (n < width && n == across && (n & (n - 1)) == 0 && rows == width) {  // several rows to a pack
        group = n;
        ONEFOLD_UNROLL(1)
        for (int i = 0; i < n; ++i) packs[i] = f.lift(page::elements(p + i * width));
      } else {
        ONEFOLD_UNROLL(1)
        for (int i = 0; i < width; ++i) packs[i] = page::part_pack(f, p + (i < rows ? i : rows - 1) * across, n);
      }
      return halve_groups<width / 2>(f, packs, group, n);
    }
  }

  /// Halves groups of 2 * Half lanes, and so on down to one lane; packs that hold groups of `group` lanes begin there.
  /// Lanes from `lanes` on of each row hold nothing.
  template <int Half>
  ONEFOLD_INLINE static S halve_groups(const F& f, S* packs, int group, int lanes) {
    const auto halve = [&](int i) {
      const S low = halves<Half, false>(packs + 2 * i);
      packs[i] = lanes > Half ? f.combine(low, halves<Half, true>(packs + 2 * i)) : low;
    };
    if constexpr (Half == 1) {
      halve(0);
    } else if (group > Half) {
      if constexpr (has_quick<F>) {  // where the quick fold is wrong only
        ONEFOLD_UNROLL(1)
        for (int i = 0; i < Half; ++i) halve(i);
      } else {
        for (int i = 0; i < Half; ++i) halve(i);
      }
    }
    if constexpr (Half == 1)
      return packs[0];
    else
      return halve_groups<Half / 2>(f, packs, group, lanes);
  }

  /// The lower or upper halves of the groups of two neighbouring packs.
  template <int Half, bool Upper>
  ONEFOLD_INLINE static S halves(const S* two) {
    return bits_as<S>(halves_of_groups<Half, Upper>(bits_as<V>(two[0]), bits_as<V>(two[1]),
                                                    std::make_integer_sequence<int, width>{}));
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
