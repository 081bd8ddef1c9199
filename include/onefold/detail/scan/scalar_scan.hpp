// Scans with scalar states: in any order, lane by lane, in the order of the elements, or pushed into one state.
#pragma once

#include "onefold/detail/scan/prefixes.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// An element as a fold's scalar functions take it.
template <class F, class T>
ONEFOLD_INLINE decltype(auto) scalar_element(const T& x) {
  using value = lane_value<F, T>;
  if constexpr (folds_packs<F, value>) {
    using stored = storage_t<T>;
    const stored bits = __builtin_bit_cast(stored, x);
    if constexpr (of_library<F> && requires { F::template project<value>(bits); })
      return F::template project<value>(bits);
    else
      return widen<value, T>(bits);
  } else {
    return x;
  }
}

/// Prefixes in a page of an order-independent operation: each is the one before with one element more. A page begins
/// anew, and one node is in front of it.
template <class F, class T>
class any_order_prefixes {
 public:
  using S = tree_state<F, T>;
  struct work {};
  any_order_prefixes(const F& f, work*) : f_(f) {}
  void begin_page() {}
  /// The state of the page's elements up to the one at `index`, place `i` of the page; `before` is that of the one
  /// before.
  S next(const T& x, std::int64_t index, int i, const S& before) {
    const S own = to_tree<F, T>(f_, lift_at(f_, scalar_element<F>(x), index));
    return i == 0 ? own : f_.combine(before, own);
  }

 private:
  const F& f_;
};

/// Prefixes in a page lane by lane, as pack_scan.hpp says.
template <class F, class T>
class lane_prefixes {
 public:
  using lane = lane_state<F, T>;
  using S = tree_state<F, T>;
  static constexpr int lanes = lanes_of(sizeof(T));
  struct work {
    lane strip[lanes];   ///< the strip so far
    lane before[lanes];  ///< the strips before it, or those before the third
    lane third[lanes];   ///< the third strip
    lane left[lanes];    ///< for each step, what the last elements left behind: step w begins at w
  };
  lane_prefixes(const F& f, work* w) : f_(f), w_(*w) {}
  void begin_page() {}
  S next(const T& x, std::int64_t index, int i, const S&) {
    const int j = i % lanes, row = i / lanes, strip = row / strip_rows;
    if (row % strip_rows == 0)
      put(w_.strip[j], lift_at(f_, scalar_element<F>(x), index));
    else
      put(w_.strip[j], push_at(f_, w_.strip[j], scalar_element<F>(x), index));
    const lane s = end_strip(f_, w_.strip[j]);
    lane v = strip == 0 ? s : f_.combine(w_.before[j], strip == 3 ? f_.combine(w_.third[j], s) : s);
    if (row % strip_rows == strip_rows - 1) put(strip == 2 ? w_.third[j] : w_.before[j], strip == 2 ? s : v);
    for (int w = lanes / 2; w >= 1; w /= 2) {
      lane& place = w_.left[w + (i & (w - 1))];
      if (i < w) {
        put(place, v);
        continue;
      }
      const lane earlier = place;
      put(place, v);
      v = j & w ? f_.combine(earlier, v) : f_.combine(v, earlier);
    }
    return to_tree<F, T>(f_, v);
  }

 private:
  const F& f_;
  work& w_;
};

/// Prefixes in a page of an operation that does not commute: runs of 8 neighbors, and the aligned tree over them.
template <class F, class T>
class ordered_prefixes {
 public:
  using lane = lane_state<F, T>;
  using S = tree_state<F, T>;
  struct work {
    lane run;
    lane nodes[16];
  };
  ordered_prefixes(const F& f, work* w) : f_(f), w_(*w) {}
  void begin_page() { count_ = 0; }
  S next(const T& x, std::int64_t index, int i, const S&) {
    if (i % strip_rows == 0)
      put(w_.run, lift_at(f_, x, index));
    else
      put(w_.run, push_at(f_, w_.run, x, index));
    lane v = end_strip(f_, w_.run);
    if (i % strip_rows == strip_rows - 1) {
      put(w_.nodes[count_++], v);
      for (unsigned carry = static_cast<unsigned>(i / strip_rows); carry & 1; carry >>= 1) {
        --count_;
        put(w_.nodes[count_ - 1], f_.combine(w_.nodes[count_ - 1], w_.nodes[count_]));
      }
      v = w_.nodes[count_ - 1];
      for (int k = count_ - 1; k-- > 0;) v = f_.combine(w_.nodes[k], v);
    } else {
      for (int k = count_; k-- > 0;) v = f_.combine(w_.nodes[k], v);
    }
    return to_tree<F, T>(f_, v);
  }

 private:
  const F& f_;
  work& w_;
  int count_ = 0;
};

/// Prefixes in a page of an operation that pushes in place.
template <class F, class T>
class pushed_prefixes {
 public:
  using lane = lane_state<F, T>;
  using S = tree_state<F, T>;
  struct work {
    lane page;
  };
  pushed_prefixes(const F& f, work* w) : f_(f), w_(*w) {}
  void begin_page() {}
  S next(const T& x, std::int64_t index, int i, const S&) {
    if (i == 0)
      put<lane>(w_.page, lift_at(f_, x, index));
    else
      f_.push(w_.page, x);
    return to_tree<F, T>(f_, w_.page);
  }

 private:
  const F& f_;
  work& w_;
};

/// Scans lines of T element by element; Prefixes is how those of a page are made.
template <class F, class T, class Prefixes>
struct scalar_scan {
  using S = tree_state<F, T>;
  static constexpr int row_states = 64;
  static constexpr std::uint32_t room_bytes = static_cast<std::uint32_t>(
      scan_room::bytes<typename Prefixes::work>(1) + scan_room::bytes<S>(row_states + 1) + scan_room::bytes<S>(1));

  static const char* scan(const void* op, scan_part& part, write_results write, void* memory) {
    const F& f = object_of_recipe<F>(op);
    constexpr std::int64_t page_size = page_elements(sizeof(T));
    scan_room room(memory);
    Prefixes prefixes(f, room.take<typename Prefixes::work>(1));
    left_nodes<F, S> nodes(f, part, page_size);
    prefix_row<S, row_states> row(op, part, write, room.take<S>(row_states + 1), state_before<F, T>(f, nodes));
    S* const before = room.take<S>(1);
    const T* const p = static_cast<const T*>(part.data);
    int waiting = 0;
    for (std::int64_t t = 0; t < part.n; ++t) {
      const int i = static_cast<int>(t % page_size);
      if (i == 0) prefixes.begin_page();
      put(*before, prefixes.next(p[t], part.index + t, i, *before));
      put(row.states()[waiting], nodes.after(*before));
      if (++waiting == row_states) {
        row.flush(waiting);
        waiting = 0;
      }
      if (i == page_size - 1) nodes.push(*before);
    }
    if (waiting > 0) row.flush(waiting);
    part.node_count = nodes.count();
    return row.why();
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
