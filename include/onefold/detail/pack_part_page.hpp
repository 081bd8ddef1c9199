// Folds parts of pages over SIMD packs: up to a row, up to a strip, or more.
#pragma once

#include "onefold/detail/pack_halves.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The states of the first elements of pages of fold F over elements T.
template <class F, class T>
struct pack_part_page {
  using shape = pack_shape<F, T>;
  using halves = pack_halves<F, T>;
  using V = typename shape::V;
  using S = typename shape::S;
  using stored = typename shape::stored;
  using stored_pack = typename shape::stored_pack;
  static constexpr int lanes = shape::lanes, width = shape::width, columns = shape::columns, kept = halves::kept;

  /// The first `count` elements of a page, 1 <= count <= page_elements, halved down to a pack, whose values from
  /// `count` on are identities.
  ONEFOLD_INLINE static S fold(const F& f, const stored* p, int count) {
    if (count <= lanes) return row_pack(f, p, count);
    S s;
    some_rows(f, p, count, s);
    return s;
  }

  /// The pack of lifted elements at p, or of the first `count` and identities.
  ONEFOLD_INLINE static S leading(const F& f, const stored* p, int count) {
    if (count >= width) return f.lift(shape::elements(p));
    return shape::first_values(f.lift(shape::element_values(load_first<stored_pack>(p, count))), identity_of<F, V>(f),
                               count);
  }

  /// Column C of All full packs in each of `Rows` rows, up to a strip, after halving to W columns.
  template <int C, int W, int All, int Rows = 1>
  ONEFOLD_INLINE static S full_columns(const F& f, const stored* p) {
    if constexpr (W < All) {
      return f.combine(full_columns<C, 2 * W, All, Rows>(f, p), full_columns<C + W, 2 * W, All, Rows>(f, p));
    } else if constexpr (Rows == 1) {
      return f.lift(shape::elements(p + C * width));
    } else {
      S s = f.lift(shape::elements(p + C * width));
      for (int r = 1; r < Rows; ++r) s = push_pack(f, s, shape::elements(p + r * lanes + C * width));
      return end_strip(f, s);
    }
  }

 private:
  /// Whether the columns of up to a strip are folded one after another and halved on the way, in registers: the
  /// fastest, and the most code.
  static constexpr bool by_nodes =
      columns > 1 && columns <= 16 && members<S, V>::count == 1 && !is_rare<F> && !has_speculative<F>;

  /// Whether part_of_strip is for this fold: a state is one number, and those of a row fit the registers.
  static constexpr bool parts_by_rows = shape::rows_fit && members<S, V>::count == 1 && kept == columns && columns > 1;

  /// Up to a row. The one pack that is not full is made first.
  ONEFOLD_INLINE static S row_pack(const F& f, const stored* p, int count) {
    const int rest = count % width;
    S last = identity_of<F, V>(f);
    if (rest)
      last = shape::first_values(f.lift(shape::element_values(load_first<stored_pack>(p + count - rest, rest))), last,
                                 rest);
    if constexpr (columns <= 8 || by_nodes) {
      return node<0, 1>(f, p, count, last);
    } else {
      wide_row(f, p, count, last);
      return last;
    }
  }

  /// Column C of a row of `count` elements after halving to W columns, C * width < count; `last` is the pack that is
  /// not full. In registers: written as a loop over columns, each number of them waits for stores on its way.
  template <int C, int W>
  ONEFOLD_INLINE static S node(const F& f, const stored* p, int count, const S& last) {
    if constexpr (W >= columns) {
      return (C + 1) * width <= count ? f.lift(shape::elements(p + C * width)) : last;
    } else {
      const S left = node<C, 2 * W>(f, p, count, last);
      return (C + W) * width < count ? f.combine(left, node<C + W, 2 * W>(f, p, count, last)) : left;
    }
  }

  /// A row of more columns than the registers hold, whose last pack is `total` at first. Not inlined: the stack has
  /// room for the states of one row, and some_rows has another.
  [[gnu::noinline]] static void wide_row(const F& f, const stored* p, int count, S& total) {
    const int used = (count + width - 1) / width;
    S row[kept];
    ONEFOLD_UNROLL(1)
    for (int c = 0; c < used; ++c)
      halves::keep(f, row, c, (c + 1) * width <= count ? f.lift(shape::elements(p + c * width)) : total);
    total = halves::halve_columns(f, row, used < kept ? used : kept);
  }

  /// More than a row; not inlined, so that all callers share one copy.
  [[gnu::noinline]] static void some_rows(const F& f, const stored* p, int count, S& to) {
    const int full_rows = count / lanes, rest = count % lanes;
    if constexpr (by_nodes)
      if (up_to_strip(f, p, full_rows, rest, to)) return;
    S row[kept];
    if constexpr (parts_by_rows) {
      constexpr int strip = strip_rows * lanes;
      S third[columns];
      ONEFOLD_UNROLL(1)
      for (int first = 0; first < count; first += strip) {
        S t[columns];
        part_of_strip(f, p + first, count - first < strip ? count - first : strip, t);
        S(&into)[columns] = first < 2 * strip ? row : third;
        if (first % (2 * strip) != 0)
          halves::add(f, into, t);
        else
          for (int c = 0; c < columns; ++c) into[c] = t[c];
      }
      if (count > 2 * strip) halves::add(f, row, third);
      to = halves::halve_columns(f, row, kept);
      return;
    }
    prefetch(p, count);
    ONEFOLD_UNROLL(1)
    for (int c = 0; c < columns; ++c) {
      const int in_last_row = rest - c * width;  // elements of this column in the partial row
      const int rows = full_rows + (in_last_row >= width ? 1 : 0);
      const int tail = in_last_row > 0 && in_last_row < width ? in_last_row : 0;
      halves::keep(f, row, c, column(f, p + c * width, rows, tail));
    }
    to = halves::halve_columns(f, row, kept);
  }

  /// Columns are read at as many places at once as they have rows, which CPUs do not prefetch.
  ONEFOLD_INLINE static void prefetch(const stored* p, int count) {
    constexpr int line = 64;
    const char* const bytes = reinterpret_cast<const char*>(p);
    ONEFOLD_UNROLL(1)
    for (int i = 0; i < count * static_cast<int>(sizeof(stored)); i += line) __builtin_prefetch(bytes + i);
  }

  /// `full` rows and `rest` elements of the next one, where they are no more than a strip.
  ONEFOLD_INLINE static bool up_to_strip(const F& f, const stored* p, int full, int rest, S& to) {
    if (full >= strip_rows && (full > strip_rows || rest > 0)) return false;
    if (rest == 0 && full == 2) {
      to = full_columns<0, 1, columns, 2>(f, p);
    } else if (rest == 0 && full == 4) {
      to = full_columns<0, 1, columns, 4>(f, p);
    } else if (rest == 0 && full == 8) {
      to = full_columns<0, 1, columns, 8>(f, p);
    } else {
      const int odd = rest % width ? rest / width : columns;
      S last = identity_of<F, V>(f);
      if (odd < columns) last = column(f, p + odd * width, full, rest % width);
      to = node_of_rows<0, 1>(f, p, full, rest, odd, last);
    }
    return true;
  }

  /// Column C, as node gives it, of `full` rows, fewer than a strip, and `rest` elements of the next one; `last` is the
  /// state of the column `odd`, which ends in a pack that is not full.
  template <int C, int W>
  ONEFOLD_INLINE static S node_of_rows(const F& f, const stored* p, int full, int rest, int odd, const S& last) {
    if constexpr (W < columns) {
      const S left = node_of_rows<C, 2 * W>(f, p, full, rest, odd, last);
      return f.combine(left, node_of_rows<C + W, 2 * W>(f, p, full, rest, odd, last));
    } else {
      if (C == odd) return last;
      const int rows = full + ((C + 1) * width <= rest ? 1 : 0);
      S s = f.lift(shape::elements(p + C * width));
      ONEFOLD_UNROLL(1)
      for (int r = 1; r < rows; ++r) s = push_pack(f, s, shape::elements(p + r * lanes + C * width));
      return end_strip(f, s);
    }
  }

  /// A strip of `count` elements, 1 <= count <= strip_rows * lanes, row by row with the states of a row in registers.
  /// Lanes begin with the identity, which is neutral to the bit.
  ONEFOLD_INLINE static void part_of_strip(const F& f, const stored* p, int count, S (&t)[columns]) {
    for (int c = 0; c < columns; ++c) t[c] = identity_of<F, V>(f);
    ONEFOLD_UNROLL(1)
    for (; count >= lanes; count -= lanes, p += lanes)
      for (int c = 0; c < columns; ++c) t[c] = push_pack(f, t[c], shape::elements(p + c * width));
    ONEFOLD_UNROLL(1)
    for (int c = 0; c * width < count; ++c) {
      const int left = count - c * width;
      const V x = left >= width ? shape::elements(p + c * width)
                                : shape::element_values(load_first<stored_pack>(p + c * width, left));
      t[c] = shape::first_values(push_pack(f, t[c], x), t[c], left < width ? left : width);
    }
    for (int c = 0; c < columns; ++c) t[c] = end_strip(f, t[c]);
  }

  /// One column: `rows` full packs and, in the row below, the first `tail` values of one.
  ONEFOLD_INLINE static S column(const F& f, const stored* p, int rows, int tail) {
    const auto one_strip = [&](int s) {
      const int first = s * strip_rows, past = first + strip_rows;
      const int end = rows < past ? rows : past;
      S t = identity_of<F, V>(f);
      if (first < end) t = f.lift(shape::elements(p + first * lanes));
      ONEFOLD_UNROLL(1)
      for (int r = first + 1; r < end; ++r) t = push_pack(f, t, shape::elements(p + r * lanes));
      if (tail && rows >= first && rows < past) {
        const V x = shape::element_values(load_first<stored_pack>(p + rows * lanes, tail));
        t = shape::first_values(rows == first ? f.lift(x) : push_pack(f, t, x), t, tail);
      }
      return end_strip(f, t);
    };
    const int strips = (rows + (tail ? 1 : 0) + strip_rows - 1) / strip_rows;
    S front = one_strip(0);
    if (strips > 1) front = f.combine(front, one_strip(1));
    if (strips <= 2) return front;
    S back = one_strip(2);
    if (strips > 3) back = f.combine(back, one_strip(3));
    return f.combine(front, back);
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
