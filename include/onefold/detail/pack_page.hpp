// Folds one page over SIMD packs. docs/order.md.
#pragma once

#include "onefold/detail/fold_traits.hpp"
#include "onefold/detail/pack.hpp"
#include "onefold/detail/strict_math.hpp"
#include "onefold/operation.hpp"
#include "onefold/order.hpp"

// The host compiler's word on unrolling, which nvcc does not know.
#ifdef __CUDACC__
#define ONEFOLD_UNROLL(n)
#else
#define ONEFOLD_UNROLL_TEXT(x) _Pragma(#x)
#define ONEFOLD_UNROLL(n) ONEFOLD_UNROLL_TEXT(GCC unroll n)
#endif

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The members of a state as an array: a pack state is a struct of packs and nothing else.
template <class S, class V>
struct members {
  static constexpr int count = sizeof(S) / sizeof(V);
  static_assert(sizeof(S) == count * sizeof(V), "onefold: a state over V holds values of type V only");
  V m[count];
  ONEFOLD_INLINE static members of(const S& s) { return __builtin_bit_cast(members, s); }
  ONEFOLD_INLINE S state() const { return __builtin_bit_cast(S, *this); }
};

/// Where an array comes from: a core's own cache, a cache of all cores, or memory.
enum class origin { own_cache, shared_cache, memory };

/// How a full page is walked: column by column or row by row, and with what is needed soon asked for ahead or not.
enum class walk { columns, columns_ahead, rows, rows_ahead };

/// The states of lanes with an element more each: pushed, or lifted and combined.
template <class F, class S, class V>
ONEFOLD_INLINE constexpr S push_pack(const F& f, const S& s, const V& x) {
  if constexpr (requires { f.push(s, x); })
    return f.push(s, x);
  else
    return f.combine(s, f.lift(x));
}

/// Folds the pages of an array of T over packs of this level's width.
template <class F, class T>
struct pack_page {
  using value = lane_value<F, T>;
  using stored = storage_t<T>;
  static constexpr int lanes = lanes_of(sizeof(T));
  static constexpr int natural_width = vector_bytes / static_cast<int>(sizeof(value));
  static constexpr int width = natural_width < lanes ? natural_width : lanes;
  static constexpr int columns = lanes / width;  ///< packs of a row
  using V = pack<value, width>;
  using stored_pack = pack<stored, width>;
  using S = typename F::template state<V>;
  using lane = lane_state<F, T>;

  ONEFOLD_INLINE static V element_values(stored_pack x) {
    if constexpr (of_library<F> && requires { F::template project<V>(x); })
      return F::template project<V>(x);
    else
      return widen<V, T>(x);
  }
  ONEFOLD_INLINE static V elements(const stored* p) { return element_values(load<stored_pack>(p)); }

  /// The fastest walk (docs/notes/cpu.md has the figures).
  static constexpr walk walk_from(origin from) {
    if (!rows_fit) return from == origin::own_cache ? walk::columns : walk::columns_ahead;
    if (from == origin::own_cache && registers < 32)
      return light || members<S, V>::count > 2 ? walk::columns : walk::rows;
    return light && from == origin::memory ? walk::rows_ahead : walk::rows;
  }

  /// A full page.
  template <walk Walk>
  static lane full(const F& f, const T* data) {
    const stored* p = reinterpret_cast<const stored*>(data);
    S row[kept];
    if constexpr (Walk == walk::rows || Walk == walk::rows_ahead)
      by_rows<Walk == walk::rows_ahead>(f, p, row);
    else
      by_columns<Walk == walk::columns_ahead>(f, p, row);
    return halve_pack<width>(f, halve_columns(f, row, kept), width);
  }

  /// The first `count` elements of a page, 1 <= count <= width: what the shortest inputs take.
  ONEFOLD_INLINE static lane few(const F& f, const T* data, int count) {
    return halve_pack<width>(f, leading(f, reinterpret_cast<const stored*>(data), count), count);
  }

  /// The first `count` elements of a page, 1 <= count <= page_elements.
  static lane part(const F& f, const T* data, int count) {
    return halve_pack<width>(f, part_pack(f, reinterpret_cast<const stored*>(data), count),
                             count < width ? count : width);
  }

  /// The same, halved down to a pack, whose values from `count` on are identities.
  ONEFOLD_INLINE static S part_pack(const F& f, const stored* p, int count) {
    if (count <= lanes) return row_pack(f, p, count);
    S s;
    some_rows(f, p, count, s);
    return s;
  }

  /// Column C of All full packs in each of `Rows` rows, up to a strip, after halving to W columns.
  template <int C, int W, int All, int Rows = 1>
  ONEFOLD_INLINE static S full_columns(const F& f, const stored* p) {
    if constexpr (W < All) {
      return f.combine(full_columns<C, 2 * W, All, Rows>(f, p), full_columns<C + W, 2 * W, All, Rows>(f, p));
    } else if constexpr (Rows == 1) {
      return f.lift(elements(p + C * width));
    } else {
      S s = f.lift(elements(p + C * width));
      for (int r = 1; r < Rows; ++r) s = push_pack(f, s, elements(p + r * lanes + C * width));
      return end_strip(f, s);
    }
  }

  /// The first `count` values from a, the others from b.
  ONEFOLD_INLINE static S first_values(const S& a, const S& b, int count) {
    if constexpr (width == 1) {
      return count ? a : b;
    } else {
      using I = std::remove_cvref_t<decltype(V{} == V{})>;
      I index;
      for (int i = 0; i < width; ++i) index[i] = static_cast<value_of<I>>(i);
      const I mask = index < splat<I>(static_cast<value_of<I>>(count));
      const auto x = members<S, V>::of(a), y = members<S, V>::of(b);
      members<S, V> r;
      for (int i = 0; i < r.count; ++i) r.m[i] = mask ? x.m[i] : y.m[i];
      return r.state();
    }
  }

 private:
  /// Whether an element costs about one instruction, so that a core waits for its data and not for arithmetic.
  static constexpr bool light = sizeof(value) == sizeof(stored) && (members<S, V>::count == 1 || flags_nan<F>);
  /// The CPU's registers for vectors of this width.
  static constexpr int registers = vector_bytes == 64 ? 32 : 16;
  /// Whether the state of a whole row stays in registers, more or less.
  static constexpr bool rows_fit = columns <= 16 && columns * members<S, V>::count <= 32;

  /// How many states of a row are kept: all, or the half to which they halve first, for a stack of 16 KiB.
  static constexpr int kept = columns > 1 && columns * sizeof(S) > 8 << 10 ? columns / 2 : columns;

  /// Whether the columns of up to a strip are folded one after the other and halved on the way, in registers: the
  /// fastest, and the most code.
  static constexpr bool by_nodes =
      columns > 1 && columns <= 16 && members<S, V>::count == 1 && !is_rare<F> && !has_speculative<F>;

  /// The pack of lifted elements at p, or of the first `count` and identities.
  ONEFOLD_INLINE static S leading(const F& f, const stored* p, int count) {
    if (count >= width) return f.lift(elements(p));
    return first_values(f.lift(element_values(load_first<stored_pack>(p, count))), identity_of<F, V>(f), count);
  }

  /// Up to a row. The one pack that is not full is made first.
  ONEFOLD_INLINE static S row_pack(const F& f, const stored* p, int count) {
    const int rest = count % width;
    S last = identity_of<F, V>(f);
    if (rest) last = first_values(f.lift(element_values(load_first<stored_pack>(p + count - rest, rest))), last, rest);
    if constexpr (columns <= 8 || by_nodes) {
      return node<0, 1>(f, p, count, last);
    } else {
      wide_row(f, p, count, last);
      return last;
    }
  }

  /// A row of more columns than the registers hold, whose last pack is `total` at first. Not inlined: the stack has
  /// room for the states of one row, and some_rows has another.
  [[gnu::noinline]] static void wide_row(const F& f, const stored* p, int count, S& total) {
    const int used = (count + width - 1) / width;
    S row[kept];
    ONEFOLD_UNROLL(1)
    for (int c = 0; c < used; ++c) keep(f, row, c, (c + 1) * width <= count ? f.lift(elements(p + c * width)) : total);
    total = halve_columns(f, row, used < kept ? used : kept);
  }

  /// A strip of `count` elements, 1 <= count <= strip_rows * lanes, row by row with the states of a row in registers.
  /// Lanes begin with the identity, which is neutral to the bit.
  ONEFOLD_INLINE static void part_of_strip(const F& f, const stored* p, int count, S (&t)[columns]) {
    for (int c = 0; c < columns; ++c) t[c] = identity_of<F, V>(f);
    ONEFOLD_UNROLL(1)
    for (; count >= lanes; count -= lanes, p += lanes)
      for (int c = 0; c < columns; ++c) t[c] = push_pack(f, t[c], elements(p + c * width));
    ONEFOLD_UNROLL(1)
    for (int c = 0; c * width < count; ++c) {
      const int left = count - c * width;
      const V x =
          left >= width ? elements(p + c * width) : element_values(load_first<stored_pack>(p + c * width, left));
      t[c] = first_values(push_pack(f, t[c], x), t[c], left < width ? left : width);
    }
    for (int c = 0; c < columns; ++c) t[c] = end_strip(f, t[c]);
  }

  /// Whether part_of_strip is for this fold: a state is one number, and those of a row fit the registers.
  static constexpr bool parts_by_rows = rows_fit && members<S, V>::count == 1 && kept == columns && columns > 1;

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
          add(f, into, t);
        else
          for (int c = 0; c < columns; ++c) into[c] = t[c];
      }
      if (count > 2 * strip) add(f, row, third);
      to = halve_columns(f, row, kept);
      return;
    }
    ONEFOLD_UNROLL(1)
    for (int c = 0; c < columns; ++c) {
      const int in_last_row = rest - c * width;  // elements of this column in the partial row
      const int rows = full_rows + (in_last_row >= width ? 1 : 0);
      const int tail = in_last_row > 0 && in_last_row < width ? in_last_row : 0;
      keep(f, row, c, column(f, p + c * width, rows, tail));
    }
    to = halve_columns(f, row, kept);
  }

  /// Column C of a row of `count` elements after halving to W columns, C * width < count; `last` is the pack that is
  /// not full. In registers: written as a loop over columns, each number of them waits for stores on its way.
  template <int C, int W>
  ONEFOLD_INLINE static S node(const F& f, const stored* p, int count, const S& last) {
    if constexpr (W >= columns) {
      return (C + 1) * width <= count ? f.lift(elements(p + C * width)) : last;
    } else {
      const S left = node<C, 2 * W>(f, p, count, last);
      return (C + W) * width < count ? f.combine(left, node<C + W, 2 * W>(f, p, count, last)) : left;
    }
  }

  /// The same of `full` rows, fewer than a strip, and `rest` elements of the next one; `last` is the state of the
  /// column `odd`, which ends in a pack that is not full.
  template <int C, int W>
  ONEFOLD_INLINE static S node_of_rows(const F& f, const stored* p, int full, int rest, int odd, const S& last) {
    if constexpr (W < columns) {
      const S left = node_of_rows<C, 2 * W>(f, p, full, rest, odd, last);
      return f.combine(left, node_of_rows<C + W, 2 * W>(f, p, full, rest, odd, last));
    } else {
      if (C == odd) return last;
      const int rows = full + ((C + 1) * width <= rest ? 1 : 0);
      S s = f.lift(elements(p + C * width));
      ONEFOLD_UNROLL(1)
      for (int r = 1; r < rows; ++r) s = push_pack(f, s, elements(p + r * lanes + C * width));
      return end_strip(f, s);
    }
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

  /// A row's states a[c] become a[c] + b[c].
  ONEFOLD_INLINE static void add(const F& f, S (&a)[columns], const S (&b)[columns]) {
    ONEFOLD_UNROLL(16)
    for (int c = 0; c < columns; ++c) a[c] = f.combine(a[c], b[c]);
  }

  /// A strip row by row, in the order of memory. Each load instruction of the loop over the rows, which is not
  /// unrolled, walks in one stride: CPUs prefetch that at the full bandwidth of DRAM (docs/notes/cpu.md). With Ahead,
  /// what is one and a half pages of virtual memory further on is asked for, because CPUs prefetch within such a page
  /// only.
  template <bool Ahead>
  ONEFOLD_INLINE static void strip_by_rows(const F& f, const stored* p, S (&strip)[columns]) {
    S t[columns];
    ONEFOLD_UNROLL(16)
    for (int c = 0; c < columns; ++c) t[c] = f.lift(elements(p + c * width));
    ONEFOLD_UNROLL(1)
    for (int r = 1; r < strip_rows; ++r) {
      ONEFOLD_UNROLL(16)
      for (int c = 0; c < columns; ++c) {
        const stored* const x = p + r * lanes + c * width;
        if constexpr (Ahead)
          if (c * width * static_cast<int>(sizeof(stored)) % 64 == 0) prefetch<1>(x, 6 << 10);
        t[c] = push_pack(f, t[c], elements(x));
      }
    }
    ONEFOLD_UNROLL(16)
    for (int c = 0; c < columns; ++c) strip[c] = end_full_strip(f, t[c]);
  }

  /// Strip by strip. 32 registers hold the rows of two strips, which are added before they are stored; 16 hold one.
  template <bool Ahead>
  ONEFOLD_INLINE static void by_rows(const F& f, const stored* p, S (&row)[kept]) {
    constexpr int at_once = registers / 16, elements_of_strip = strip_rows * lanes;
    S sum[page_strips / at_once][columns];
    ONEFOLD_UNROLL(1)
    for (int s = 0; s < page_strips / at_once; ++s) {
      const stored* const q = p + s * at_once * elements_of_strip;
      if constexpr (at_once == 1) {
        strip_by_rows<Ahead>(f, q, sum[s]);
      } else {
        S a[columns], b[columns];
        strip_by_rows<Ahead>(f, q, a);
        strip_by_rows<Ahead>(f, q + elements_of_strip, b);
        add(f, a, b);
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
  template <bool Ahead>
  ONEFOLD_INLINE static void by_columns(const F& f, const stored* p, S (&row)[kept]) {
    // Two columns at a time hide the latency of short states; long ones would not fit the registers.
    constexpr int pair = columns >= 2 && members<S, V>::count <= 2 ? 2 : 1;
    static_assert(kept % pair == 0);
    ONEFOLD_UNROLL(1)
    for (int c = 0; c < columns; c += pair) {
      S t[page_strips][pair];
      for (int s = 0; s < page_strips; ++s) {
        const stored* q = p + c * width + s * strip_rows * lanes;
        if constexpr (Ahead) prefetch<pair>(q, page_rows * row_bytes);
        for (int k = 0; k < pair; ++k) t[s][k] = f.lift(elements(q + k * width));
        ONEFOLD_UNROLL(8)
        for (int r = 1; r < strip_rows; ++r) {
          if constexpr (Ahead) prefetch<pair>(q + r * lanes, page_rows * row_bytes);
          for (int k = 0; k < pair; ++k) t[s][k] = push_pack(f, t[s][k], elements(q + r * lanes + k * width));
        }
        for (int k = 0; k < pair; ++k) t[s][k] = end_full_strip(f, t[s][k]);
      }
      for (int k = 0; k < pair; ++k)
        keep(f, row, c + k, f.combine(f.combine(t[0][k], t[1][k]), f.combine(t[2][k], t[3][k])));
    }
  }

  /// Column c of a row, all columns before which are there already.
  ONEFOLD_INLINE static void keep(const F& f, S (&row)[kept], int c, const S& s) {
    if (kept == columns || c < kept)
      row[c] = s;
    else
      row[c - kept] = f.combine(row[c - kept], s);
  }

  /// Asks for the lines of `Packs` packs, `distance` bytes further on.
  template <int Packs>
  ONEFOLD_INLINE static void prefetch(const stored* q, int distance) {
    constexpr int bytes = Packs * width * static_cast<int>(sizeof(stored));
    for (int i = 0; i < bytes; i += 64) __builtin_prefetch(reinterpret_cast<const char*>(q) + distance + i, 0, 2);
  }

  /// One column: `rows` full packs and, in the row below, the first `tail` values of one.
  ONEFOLD_INLINE static S column(const F& f, const stored* p, int rows, int tail) {
    const auto one_strip = [&](int s) {
      const int first = s * strip_rows, past = first + strip_rows;
      const int end = rows < past ? rows : past;
      S t = identity_of<F, V>(f);
      if (first < end) t = f.lift(elements(p + first * lanes));
      ONEFOLD_UNROLL(1)
      for (int r = first + 1; r < end; ++r) t = push_pack(f, t, elements(p + r * lanes));
      if (tail && rows >= first && rows < past) {
        const V x = element_values(load_first<stored_pack>(p + rows * lanes, tail));
        t = first_values(rows == first ? f.lift(x) : push_pack(f, t, x), t, tail);
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
