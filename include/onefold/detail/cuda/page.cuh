// Folds pages by one warp, in the order of docs/order.md. Each page class has a constructor from the fold and
//
//   S fold(x, count, index, aligned)
//
// the state of the elements x[0 .. count), from 1 to a page's, in thread 0 at least. x is a pointer, or something
// else that has elements, as the class says; index is the first element's; aligned: neighbors can be loaded at once.
#pragma once

#include "onefold/detail/cuda/warp_lanes.cuh"
#include "onefold/detail/fold_layout.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Whether a thread can load several elements of an array before it needs the first.
template <class F, class T, class Elements>
inline constexpr bool loads_ahead = false;
template <class F, class T>
inline constexpr bool loads_ahead<F, T, const T*> = has_tiles<F, T>;

/// The elements x[first], x[first + stride], ..., first to last; `index` is x[0]'s. 1 <= count <= strip_rows.
template <class F, class T, class Elements>
__device__ lane_state<F, T> fold_strip_of(const F& f, const Elements& x, int first, int stride, int count,
                                          std::int64_t index) {
  if constexpr (loads_ahead<F, T, Elements>) {
    const auto p = stored_elements(x) + first;
    storage_t<T> e[strip_rows];
#pragma unroll
    for (int r = 0; r < strip_rows; ++r)
      if (r < count) e[r] = p[r * stride];
    lane_state<F, T> s = lift_at(f, __builtin_bit_cast(T, e[0]), index + first);
#pragma unroll
    for (int r = 1; r < strip_rows; ++r)
      if (r < count) s = push_at(f, s, __builtin_bit_cast(T, e[r]), index + first + r * stride);
    return end_strip(f, s);
  } else {
    lane_state<F, T> s = lift_at(f, x[first], index + first);
    for (int r = 1; r < count; ++r) s = push_at(f, s, x[first + r * stride], index + first + r * stride);
    return end_strip(f, s);
  }
}

/// Lane j of `count` elements, j < count.
template <class F, class T, class Elements>
__device__ lane_state<F, T> fold_lane_of(const F& f, const Elements& x, int count, std::int64_t index, int j) {
  constexpr int lanes = lanes_of(sizeof(T));
  const int rows = (count - j + lanes - 1) / lanes;
  const auto strip = [&](int s) {
    return fold_strip_of<F, T>(f, x, j + s * strip_rows * lanes, lanes, min(rows - s * strip_rows, strip_rows), index);
  };
  lane_state<F, T> a = strip(0);
  if (rows > strip_rows) a = f.combine(a, strip(1));
  if (rows > 2 * strip_rows) {
    const lane_state<F, T> b = strip(2);
    a = f.combine(a, rows > 3 * strip_rows ? f.combine(b, strip(3)) : b);
  }
  return a;
}

/// An operation of which whole pages can be folded as those of packs: no state depends on an element's index, and the
/// functions that only folds over packs have are none of its own.
template <class F, class T>
concept folds_like_packs = !requires(const F& f, const T& x, std::int64_t i) {
  f.lift(x, i);
}
&&!requires(const F& f, const lane_state<F, T>& s) { f.with_count(s, strip_rows); };

/// Whether full pages of an array are folded as those of packs, whose loads are on their way together.
template <class F, class T, class Elements>
inline constexpr bool has_whole_pages = false;
template <class F, class T>
inline constexpr bool has_whole_pages<F, T, const T*> = has_tiles<F, T>&& folds_like_packs<F, T>;

/// Folds of one state of any kind: a thread takes the lanes j, j + 32, ... of its own number j. x may be anything that
/// has elements.
template <class F, class T>
struct warp_states {
  using S = lane_state<F, T>;
  static constexpr int lanes = lanes_of(sizeof(T));

  template <class Elements>
  __device__ __noinline__ static S lane_apart(const F& f, const Elements& x, int count, std::int64_t index, int j) {
    return fold_lane_of<F, T>(f, x, count, index, j);
  }
  /// Lane j once W lanes are left, 32 or more; j < count.
  template <int W, class Elements>
  __device__ static S node(const F& f, const Elements& x, int count, std::int64_t index, int j) {
    if constexpr (W >= lanes) {
      // The code of a large state, or of the pages that are rare, is not repeated for each of a thread's lanes.
      if constexpr (sizeof(S) > 64 || has_whole_pages<F, T, Elements>)
        return lane_apart(f, x, count, index, j);
      else
        return fold_lane_of<F, T>(f, x, count, index, j);
    } else {
      const S left = node<2 * W>(f, x, count, index, j);
      return j + W < count ? f.combine(left, node<2 * W>(f, x, count, index, j + W)) : left;
    }
  }
  const F& f;
  __device__ explicit warp_states(const F& fold) : f(fold) {}
  template <class Elements>
  __device__ tree_state<F, T> fold(const Elements& x, int count, std::int64_t index, [[maybe_unused]] bool aligned) {
    if constexpr (has_whole_pages<F, T, Elements>)
      if (aligned && count == page_elements(sizeof(T))) return warp_lanes<F, T>::whole_page(f, stored_elements(x));
    constexpr int width = lanes < 32 ? lanes : 32;
    const int present = min(count, width);
    // A thread without a lane repeats the last one; its state is not looked at.
    S s = node<width>(f, x, count, index, min(lane_id(), present - 1));
#pragma unroll
    for (int w = width / 2; w > 0; w /= 2) {
      const S right = from_above(s, w);
      if (lane_id() < w && lane_id() + w < present) s = f.combine(s, right);
    }
    return to_tree<F, T>(f, s);
  }
};

/// Operations that do not commute: a thread folds 8 neighbors, 32 threads a node of the aligned tree. x may be
/// anything that has elements.
template <class F, class T>
struct warp_ordered {
  using S = lane_state<F, T>;
  const F& f;
  __device__ explicit warp_ordered(const F& fold) : f(fold) {}
  template <class Elements>
  __device__ tree_state<F, T> fold(const Elements& x, int count, std::int64_t index, bool) {
    const auto combine = [&](const S& a, const S& b) { return f.combine(a, b); };
    const int strips = (count + strip_rows - 1) / strip_rows;
    aligned_tree<S> tree;
    for (int first = 0; first < strips; first += 32) {
      const int present = min(strips - first, 32);
      const int i = (first + min(lane_id(), present - 1)) * strip_rows;
      S s = fold_strip_of<F, T>(f, x, i, 1, min(count - i, strip_rows), index);
      s = aligned_warp_tree(f, s, present);
      if (lane_id() == 0) tree.push(s, combine);
    }
    S total = fold_strip_of<F, T>(f, x, 0, 1, 1, index);  // a state for the threads that have none
    if (lane_id() == 0) total = tree.total(combine);
    return to_tree<F, T>(f, total);
  }
};

/// Operations that push in place: one thread folds the page, first to last. x may be anything that has elements.
template <class F, class T>
struct warp_sequence {
  using S = lane_state<F, T>;
  const F& f;
  __device__ explicit warp_sequence(const F& fold) : f(fold) {}
  template <class Elements>
  __device__ tree_state<F, T> fold(const Elements& x, int count, std::int64_t index, bool) {
    S s = lift_at(f, x[0], index);  // a state for the threads that do nothing, too
    if (lane_id() == 0)
      for (int i = 1; i < count; ++i) f.push(s, x[i]);
    return to_tree<F, T>(f, s);
  }
};

template <class F, class T>
struct warp_page_of {
  using type = warp_states<F, T>;
};
template <class F, class T>
requires(layout_of<F, T> == layout::sequence) struct warp_page_of<F, T> {
  using type = warp_ordered<F, T>;
};
template <class F, class T>
requires(layout_of<F, T> == layout::packs) struct warp_page_of<F, T> {
  using type = warp_lanes<F, T>;
};
template <class F, class T>
requires(layout_of<F, T> == layout::one_state) struct warp_page_of<F, T> {
  using type = warp_sequence<F, T>;
};
/// How a warp folds a page with F.
template <class F, class T>
using warp_page = typename warp_page_of<F, T>::type;

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
