// Folds up to a page of each of many rows over SIMD packs: the lanes of several rows are halved at once.
//
// One row alone ends in log2(width) dependent steps on ever shorter packs. `width` rows end together: two packs that
// hold the lanes of some rows each become one that holds half as many lanes of all of them, by two permutations and one
// combine, until a lane is a row.
#pragma once

#include "onefold/detail/pack_part_page.hpp"
#include "onefold/detail/runs.hpp"
#include "onefold/detail/unroll.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Places in two packs of Width values, one after another, of the lower or upper halves of their groups of 2 * Half
/// lanes: of the first Block values of both, then of the next ones, and so on.
template <int Half, bool Upper, int Width, int Block>
ONEFOLD_INLINE constexpr int place_in_groups(int i) {
  const int block = i / Block * Block, in_block = i % Block, second = in_block / (Block / 2),
            j = in_block % (Block / 2);
  return second * Width + block + j / Half * 2 * Half + j % Half + (Upper ? Half : 0);
}

/// The lower or upper halves of all groups of 2 * Half lanes of a, then of b, block by block.
template <int Half, bool Upper, int Block, class V, int... I>
ONEFOLD_INLINE V halves_of_groups(V a, V b, std::integer_sequence<int, I...>) {
#ifdef __CUDACC__  // nvcc loses the shuffle's list of indices on its way to the host compiler
  constexpr int width = sizeof...(I);
  V r;
  for (int i = 0; i < width; ++i) {
    const int from = place_in_groups<Half, Upper, width, Block>(i);
    r[i] = from < width ? a[from] : b[from - width];
  }
  return r;
#else
  return __builtin_shufflevector(a, b, place_in_groups<Half, Upper, sizeof...(I), Block>(I)...);
#endif
}

/// Folds rows: of up to a page of neighboring elements, whose first elements lie `across` elements apart. A state is
/// one number.
template <class F, class T>
struct pack_rows {
  using shape = pack_shape<F, T>;
  using part = pack_part_page<F, T>;
  using S = typename shape::S;
  using V = typename shape::V;
  using stored = typename shape::stored;
  using tree = tree_state<F, T>;
  static constexpr int width = shape::width;

  /// Bytes of what they are folded in: an array of packs on the stack would do, but g++ 12 takes it for uninitialized.
  static constexpr int room_bytes = width * static_cast<int>(sizeof(S));

  /// pack_functions::rows.
  static void fold(const void* op, const void* data, std::int64_t across, int n, int count, bool ahead, void* states,
                   void* room) {
    const F& f = object_of_recipe<F>(op);
    const stored* const p = static_cast<const stored*>(data);
    tree* const to = static_cast<tree*>(states);
    ONEFOLD_UNROLL(1)
    for (int first = 0; first < count; first += width) {
      const int rows = count - first < width ? count - first : width;
      const V packed = bits_as<V>(of_width(f, p + first * across, across, n, rows, ahead, static_cast<S*>(room)));
      if constexpr (has_total<F>) {
        lane_state<F, T> lanes[width];
        __builtin_memcpy(static_cast<void*>(lanes), &packed, sizeof packed);
        tree closed[width];
        for (int i = 0; i < width; ++i) closed[i] = to_tree<F, T>(f, lanes[i]);
        store(closed, to + first, rows);
      } else {
        store(packed, to + first, rows);
      }
    }
  }

 private:
  /// Stores the states of the first `rows` of `width` rows.
  template <class States>
  ONEFOLD_INLINE static void store(const States& all, tree* to, int rows) {
    if (rows == width) [[likely]]
      __builtin_memcpy(static_cast<void*>(to), &all, sizeof all);
    else
      __builtin_memcpy(static_cast<void*>(to), &all, static_cast<std::size_t>(rows) * sizeof(tree));
  }

  /// Asks for the line of memory, one and a half pages of virtual memory further on, into the second-level cache: CPUs
  /// prefetch within such a page only.
  ONEFOLD_INLINE static void ask_ahead(const stored* p, std::int64_t bytes) {
    __builtin_prefetch(reinterpret_cast<const char*>(p) + (6 << 10) + bytes, 0, 2);
  }

  /// The values of 16 bytes: within such a part CPUs permute two packs by one instruction.
  static constexpr int in_part = sizeof(V) <= 16 ? width : width / static_cast<int>(sizeof(V) / 16);
  /// The pack into which a row is folded, so that halving leaves all rows in order.
  static constexpr int pack_of(int row) {
    constexpr int parts = width / in_part;
    return row % in_part * parts + row / in_part;
  }
  /// Whether rows of a few packs have code of their own, with all of them in registers.
  static constexpr bool unrolled = !is_rare<F> && !has_speculative<F> && sizeof(S) == sizeof(V) && width <= 16;

  /// The states of up to `width` rows as the values of one pack. Rows beyond the last are the last one again.
  ONEFOLD_INLINE static S of_width(const F& f, const stored* p, std::int64_t across, int n, int rows, bool ahead,
                                   S* packs) {
    if constexpr (width == 1) {
      return part::fold(f, p, n);
    } else {
      if constexpr (unrolled) {
        if (n == across && rows == width && !ahead && n <= shape::lanes) {
          if (n == width) return of_full_rows<1>(f, p);
          if (n == 2 * width) return of_full_rows<2>(f, p);
          if (n == 4 * width) return of_full_rows<4>(f, p);
        }
      }
      if (n == across && rows == width) {
        if constexpr (width >= 8)
          if (n == 8) return of_short_rows<8>(f, p, ahead);
        if constexpr (width >= 4)
          if (n == 4) return of_short_rows<4>(f, p, ahead);
        if constexpr (width >= 2)
          if (n == 2) return of_short_rows<2>(f, p, ahead);
        if (n == 1) return of_short_rows<1>(f, p, ahead);
      }
      const auto each = [&](const auto& fold_row) {
        ONEFOLD_UNROLL(1)
        for (int i = 0; i < width; ++i) {
          const stored* const row = p + (i < rows ? i : rows - 1) * across;
          if (ahead) {
            ONEFOLD_UNROLL(1)
            for (std::int64_t b = 0; b < n * static_cast<std::int64_t>(sizeof(stored)); b += 64) ask_ahead(row, b);
          }
          packs[i] = fold_row(row);
        }
      };
      if (n == width)
        each([&](const stored* row) { return f.lift(shape::elements(row)); });
      else if (n == 2 * width && n <= shape::lanes)
        each([&](const stored* row) { return part::template full_columns<0, 1, 2>(f, row); });
      else if (n == 4 * width && n <= shape::lanes)
        each([&](const stored* row) { return part::template full_columns<0, 1, 4>(f, row); });
      else if (n == 8 * width && n <= shape::lanes)
        each([&](const stored* row) { return part::template full_columns<0, 1, 8>(f, row); });
      else
        each([&](const stored* row) { return part::fold(f, row, n); });
      return halved<width, width>(f, packs, n);
    }
  }

  /// The same of `width` rows of Packs packs, one after another.
  template <int Packs>
  ONEFOLD_INLINE static S of_full_rows(const F& f, const stored* p) {
    S packs[width];
    for (int i = 0; i < width; ++i)
      packs[pack_of(i)] = part::template full_columns<0, 1, Packs>(f, p + i * Packs * width);
    return halved<width, in_part>(f, packs, width);
  }

  /// The same of rows of N elements one after another, of which each pack has several.
  template <int N>
  ONEFOLD_INLINE static S of_short_rows(const F& f, const stored* p, bool ahead) {
    if (ahead)
      for (int b = 0; b < N * width * static_cast<int>(sizeof(stored)); b += 64) ask_ahead(p, b);
    S packs[N];
    for (int i = 0; i < N; ++i) packs[i] = f.lift(shape::elements(p + i * width));
    return halved<N, width>(f, packs, N);
  }

  /// Halves groups of N lanes in N packs, and so on down to one lane. Lanes from `lanes` on of each row hold nothing.
  /// Groups of up to `Part` lanes stay in their part of a pack.
  template <int N, int Part>
  ONEFOLD_INLINE static S halved(const F& f, const S* packs, int lanes) {
    if constexpr (N == 1) {
      return packs[0];
    } else {
      constexpr int half = N / 2;
      S left[half];
      const auto halve = [&](int i) {
        constexpr int block = N <= Part ? Part : width;
        const S low = halves<half, false, block>(packs + 2 * i);
        left[i] = lanes > half ? f.combine(low, halves<half, true, block>(packs + 2 * i)) : low;
      };
      if constexpr (has_speculative<F>) {  // where the speculative fold is wrong only
        ONEFOLD_UNROLL(1)
        for (int i = 0; i < half; ++i) halve(i);
      } else {
        for (int i = 0; i < half; ++i) halve(i);
      }
      return halved<half, Part>(f, left, lanes);
    }
  }

  /// The lower or upper halves of the groups of two neighboring packs, block by block.
  template <int Half, bool Upper, int Block>
  ONEFOLD_INLINE static S halves(const S* two) {
    return bits_as<S>(halves_of_groups<Half, Upper, Block>(bits_as<V>(two[0]), bits_as<V>(two[1]),
                                                           std::make_integer_sequence<int, width>{}));
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
