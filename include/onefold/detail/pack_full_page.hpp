// Folds the full pages of an array over SIMD packs, row by row or column by column (walk.hpp). Takes a pointer to
// elements, or a source, which computes them:
//
//   Source operator+(std::int64_t n)       the same from element n on
//   P values<P>()                          the first elements, a pack of them
//   void prefetch<Count>(int distance)     asks for what this many elements are computed from, `distance` elements on
#pragma once

#include "onefold/detail/pack_halves.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The states of the columns of a full page of fold F over elements T.
template <class F, class T>
struct pack_full_page {
  using shape = pack_shape<F, T>;
  using halves = pack_halves<F, T>;
  using V = typename shape::V;
  using S = typename shape::S;
  using stored = typename shape::stored;
  static constexpr int lanes = shape::lanes, width = shape::width, columns = shape::columns, kept = halves::kept;
  static constexpr int registers = shape::registers;

  /// Strip by strip. 32 registers hold the rows of two strips, which are added before they are stored; 16 hold one.
  template <bool Ahead, class Elements>
  ONEFOLD_INLINE static void by_rows(const F& f, const Elements& p, S (&row)[kept]) {
    constexpr int at_once = registers / 16, elements_of_strip = strip_rows * lanes;
    S sum[page_strips / at_once][columns];
    ONEFOLD_UNROLL(1)
    for (int s = 0; s < page_strips / at_once; ++s) {
      const Elements q = p + s * at_once * elements_of_strip;
      if constexpr (at_once == 1) {
        strip_by_rows<Ahead>(f, q, sum[s]);
      } else {
        S a[columns], b[columns];
        strip_by_rows<Ahead>(f, q, a);
        strip_by_rows<Ahead>(f, q + elements_of_strip, b);
        halves::add(f, a, b);
        for (int c = 0; c < columns; ++c) sum[s][c] = a[c];
      }
    }
    for (int c = 0; c < columns; ++c) {
      if constexpr (at_once == 1)
        row[c] = f.combine(f.combine(sum[0][c], sum[1][c]), f.combine(sum[2][c], sum[3][c]));
      else
        row[c] = f.combine(sum[0][c], sum[1][c]);
    }
  }

  /// Column by column: all of a column's strips at once, so that their latencies overlap. With Ahead, each line's
  /// counterpart in the next page is asked for on the way.
  template <bool Ahead, class Elements>
  ONEFOLD_INLINE static void by_columns(const F& f, const Elements& p, S (&row)[kept]) {
    // Two columns at a time hide the latency of short states; long ones would not fit the registers.
    constexpr int pair = columns >= 2 && members<S, V>::count <= 2 ? 2 : 1;
    static_assert(kept % pair == 0);
    ONEFOLD_UNROLL(1)
    for (int c = 0; c < columns; c += pair) {
      S t[page_strips][pair];
      for (int s = 0; s < page_strips; ++s) {
        const Elements q = p + c * width + s * strip_rows * lanes;
        if constexpr (Ahead) prefetch<pair>(q, page_rows * row_bytes);
        for (int k = 0; k < pair; ++k) t[s][k] = f.lift(shape::elements(q + k * width));
        ONEFOLD_UNROLL(8)
        for (int r = 1; r < strip_rows; ++r) {
          if constexpr (Ahead) prefetch<pair>(q + r * lanes, page_rows * row_bytes);
          for (int k = 0; k < pair; ++k) t[s][k] = push_pack(f, t[s][k], shape::elements(q + r * lanes + k * width));
        }
        for (int k = 0; k < pair; ++k) t[s][k] = end_full_strip(f, t[s][k]);
      }
      for (int k = 0; k < pair; ++k)
        halves::keep(f, row, c + k, f.combine(f.combine(t[0][k], t[1][k]), f.combine(t[2][k], t[3][k])));
    }
  }

 private:
  /// A strip row by row, in the order of memory. Each load instruction of the loop over the rows, which is not
  /// unrolled, walks in one stride: CPUs prefetch that at the full bandwidth of DRAM (docs/notes/cpu.md). With Ahead,
  /// what is needed two rows later is asked for: as far as costs nothing where the next page of virtual memory is not
  /// in the TLB.
  template <bool Ahead, class Elements>
  ONEFOLD_INLINE static void strip_by_rows(const F& f, const Elements& p, S (&strip)[columns]) {
    S t[columns];
    ONEFOLD_UNROLL(16)
    for (int c = 0; c < columns; ++c) t[c] = f.lift(shape::elements(p + c * width));
    ONEFOLD_UNROLL(1)
    for (int r = 1; r < strip_rows; ++r) {
      ONEFOLD_UNROLL(16)
      for (int c = 0; c < columns; ++c) {
        const Elements x = p + r * lanes + c * width;
        if constexpr (Ahead)
          if (c * width * static_cast<int>(sizeof(stored)) % 64 == 0) prefetch<1>(x, 2 * row_bytes);
        t[c] = push_pack(f, t[c], shape::elements(x));
      }
    }
    ONEFOLD_UNROLL(16)
    for (int c = 0; c < columns; ++c) strip[c] = end_full_strip(f, t[c]);
  }

  /// Asks for the lines of `Packs` packs, `distance` bytes further on.
  template <int Packs>
  ONEFOLD_INLINE static void prefetch(const stored* q, int distance) {
    constexpr int bytes = Packs * width * static_cast<int>(sizeof(stored));
    for (int i = 0; i < bytes; i += 64) __builtin_prefetch(reinterpret_cast<const char*>(q) + distance + i, 0, 2);
  }
  template <int Packs, class Source>
  ONEFOLD_INLINE static void prefetch(const Source& q, int distance) {
    constexpr int count = Packs * width;
    q.template prefetch<count>(distance / static_cast<int>(sizeof(stored)));
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
