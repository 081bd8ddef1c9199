// Scans over SIMD packs: all prefixes of a row of a page at once, or of two rows.
//
// The state of the prefix that ends with element t of a page is made as a page's state is (docs/order.md), but for each
// t: the lane of t after t, then halved: for w = L/2, ..., 1 it joins the lane that lies w further on or before, whose
// state is the one that element t - w left behind. So a step is a combination with what is w places to the left, across
// the ends of rows; the left operand is that of the lower lane.
#pragma once

#include "onefold/detail/scan/pack_moves.hpp"
#include "onefold/detail/scan/pack_results.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Scans lines of T with a fold over packs, whose states go to a Row.
template <class F, class T, class Row = written_row<F, T>>
struct pack_scan {
  using shape = scan_shape<F, T>;
  using V = typename shape::V;
  using S = typename shape::S;
  using stored = typename shape::stored;
  using lane = typename shape::lane;
  using tree = tree_state<F, T>;
  using parts = members<S, V>;
  static constexpr int width = shape::width, columns = shape::columns, rows = shape::rows, packs = shape::packs;
  static constexpr auto places = std::make_integer_sequence<int, width>{};

  /// What lasts from rows to rows of a page.
  struct work {
    S strip[columns];   ///< of each lane, the strip so far
    S before[columns];  ///< the strips before it, or those before the third
    S third[columns];   ///< the third strip
    S left[columns];    ///< for each step of whole packs, the last ones of the rows before; step K begins at K
    S last[16];         ///< for each step within packs, the last pack of the rows before; step W at bit_width(W) - 1
    alignas(64) char row[Row::room_bytes];
    stored tail[shape::elements_at_once];
  };
  static constexpr std::uint32_t room_bytes = sizeof(work);

  static const char* scan(const void* op, scan_part& part, write_results write, void* room) {
    const F& f = object_of_recipe<F>(op);
    work& w = *static_cast<work*>(room);
    constexpr std::int64_t page_size = page_elements(sizeof(T));
    left_nodes<F, tree> nodes(f, part, page_size);
    Row row(f, op, part, write, w.row, state_before<F, T>(f, nodes));
    const stored* p = static_cast<const stored*>(part.data);
    for (std::int64_t left = part.n; left > 0; left -= page_size, p += page_size)
      scan_page(f, p, static_cast<int>(left < page_size ? left : page_size), part.from_memory, w, nodes, row);
    part.node_count = nodes.count();
    return row.why();
  }

 private:
  ONEFOLD_INLINE static void scan_page(const F& f, const stored* p, int count, bool ahead, work& w,
                                       left_nodes<F, tree>& nodes, Row& row) {
    const S none = identity_of<F, V>(f);
    for (S& s : w.left) s = none;
    for (S& s : w.last) s = none;
    S last = none;
    ONEFOLD_UNROLL(1)
    for (int r = 0; r * shape::lanes < count; r += rows, p += shape::elements_at_once) {
      const int left = count - r * shape::lanes;
      const int present = left < shape::elements_at_once ? left : shape::elements_at_once;
      if (ahead)
        for (int b = 0; b < rows * row_bytes; b += 64)
          __builtin_prefetch(reinterpret_cast<const char*>(p) + shape::bytes_ahead + b, 0, 3);
      const stored* from = p;
      if (present < shape::elements_at_once) {
        std::memset(static_cast<void*>(w.tail), 0, sizeof w.tail);
        std::memcpy(static_cast<void*>(w.tail), p, static_cast<std::size_t>(present) * sizeof(stored));
        from = w.tail;
      }
      S v[packs];
      if constexpr (is_order_free<F>) {
        run_on(f, from, last, v);
      } else {
        add_rows(f, from, r, w, v);
        halve<columns / 2>(f, w, v);
        halve_within<width / 2>(f, w, v);
        last = v[packs - 1];
      }
      row.take(f, v, nodes, present);
    }
    if (count == page_elements(sizeof(T))) nodes.push(to_tree<F, T>(f, lane_at(last, width - 1)));
  }

  /// The states of prefixes of a page where the order does not matter; `before` has that of what is before the rows.
  ONEFOLD_INLINE static void run_on(const F& f, const stored* p, S& before, S (&v)[packs]) {
    each_pack<F, T, 0, packs>([&](int c) {
      v[c] = f.combine(before, within_pack<1>(f, f.lift(shape::elements(p + c * width))));
      parts all = parts::of(v[c]);
      for (int m = 0; m < parts::count; ++m) all.m[m] = last_everywhere(all.m[m], places);
      before = all.state();
    });
  }
  template <int W>
  ONEFOLD_INLINE static S within_pack(const F& f, const S& s) {
    if constexpr (W >= width) {
      return s;
    } else {
      const parts none = parts::of(identity_of<F, V>(f)), own = parts::of(s);
      parts earlier;
      for (int m = 0; m < parts::count; ++m) earlier.m[m] = moved_right<W>(none.m[m], own.m[m], places);
      return within_pack<2 * W>(f, f.combine(earlier.state(), s));
    }
  }

  /// The lanes' states after row r, and after the next one, each with its strips.
  ONEFOLD_INLINE static void add_rows(const F& f, const stored* p, int r, work& w, S (&v)[packs]) {
    const int in_strip = r % strip_rows;
    const auto add = [&](auto strip) {
      if (in_strip == 0)
        add_rows_of<strip.value, true>(f, p, w, v);
      else
        add_rows_of<strip.value, false>(f, p, w, v);
    };
    switch (r / strip_rows) {
      case 0:
        add(std::integral_constant<int, 0>{});
        break;
      case 1:
        add(std::integral_constant<int, 1>{});
        break;
      case 2:
        add(std::integral_constant<int, 2>{});
        break;
      default:
        add(std::integral_constant<int, 3>{});
    }
    if (in_strip == strip_rows - rows)
      for (int c = 0; c < columns; ++c) {
        if (r / strip_rows == 2)
          w.third[c] = end_strip(f, w.strip[c]);
        else
          w.before[c] = v[packs - columns + c];
      }
  }
  template <int Strip, bool First>
  ONEFOLD_INLINE static void add_rows_of(const F& f, const stored* p, work& w, S (&v)[packs]) {
    each_pack<F, T, 0, columns>([&](int c) {
      const V x = shape::elements(p + c * width);
      S strip = First ? f.lift(x) : push_pack(f, w.strip[c], x);
      v[c] = after_strips<Strip>(f, w, c, strip);
      if constexpr (rows == 2) {
        strip = push_pack(f, strip, shape::elements(p + (columns + c) * width));
        v[columns + c] = after_strips<Strip>(f, w, c, strip);
      }
      w.strip[c] = strip;
    });
  }
  /// Column c of a strip that has just got a row, with the strips before it.
  template <int Strip>
  ONEFOLD_INLINE static S after_strips(const F& f, const work& w, int c, const S& strip) {
    S s = end_strip(f, strip);
    if constexpr (Strip == 3) s = f.combine(w.third[c], s);
    if constexpr (Strip > 0) s = f.combine(w.before[c], s);
    return s;
  }

  /// Steps of whole packs: w = K * width, K/2 * width, ..., width.
  template <int K>
  ONEFOLD_INLINE static void halve(const F& f, work& w, S (&v)[packs]) {
    if constexpr (K >= 1) {
      S last[K];
      each_pack<F, T, 0, K>([&](int c) { last[c] = v[packs - K + c]; });
      each_pack<F, T, K, packs, true>(
          [&](int c) { v[c] = c & K ? f.combine(v[c - K], v[c]) : f.combine(v[c], v[c - K]); });
      each_pack<F, T, 0, K>([&](int c) {
        v[c] = f.combine(v[c], w.left[K + c]);
        w.left[K + c] = last[c];
      });
      halve<K / 2>(f, w, v);
    }
  }

  /// Steps within packs: w = W, W/2, ..., 1.
  template <int W>
  ONEFOLD_INLINE static void halve_within(const F& f, work& w, S (&v)[packs]) {
    if constexpr (W >= 1) {
      constexpr int place = std::bit_width(static_cast<unsigned>(W)) - 1;
      S& before = w.last[place];
      const S last = v[packs - 1];
      each_pack<F, T, 0, packs, true>([&](int c) { v[c] = step<W>(f, c > 0 ? v[c - 1] : before, v[c]); });
      before = last;
      halve_within<W / 2>(f, w, v);
    }
  }
  /// A pack, whose values are combined with those W places to the left.
  template <int W>
  ONEFOLD_INLINE static S step(const F& f, const S& before, const S& own) {
    const parts b = parts::of(before), a = parts::of(own);
    parts earlier;
    for (int m = 0; m < parts::count; ++m) earlier.m[m] = moved_right<W>(b.m[m], a.m[m], places);
    if constexpr (is_symmetric<F, T>) {
      return f.combine(earlier.state(), own);
    } else {
      parts left, right;
      for (int m = 0; m < parts::count; ++m) {
        left.m[m] = alternating<W>(a.m[m], earlier.m[m], places);
        right.m[m] = alternating<W>(earlier.m[m], a.m[m], places);
      }
      return f.combine(left.state(), right.state());
    }
  }

  /// One lane of a pack of states.
  static lane lane_at(const S& s, int i) {
    const parts all = parts::of(s);
    members<lane, typename shape::value> one;
    for (int m = 0; m < parts::count; ++m) {
      if constexpr (width == 1)
        one.m[m] = all.m[m];
      else
        one.m[m] = all.m[m][i];
    }
    return one.state();
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
