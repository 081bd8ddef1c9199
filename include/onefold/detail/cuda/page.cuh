// Folds pages by one warp, in the order of docs/order.md. Each page class has a constructor from the fold and
//
//   S fold(data, count, index, aligned)
//
// the state of `count` elements at data, from 1 to a page's, in thread 0 at least. index is the first element's;
// aligned: neighbours can be loaded at once.
#pragma once

#include "onefold/detail/cuda/warp_lanes.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Folds of one state of any kind: a thread takes the lanes j, j + 32, ... of its own number j.
template <class F, class T>
struct warp_states {
  using S = lane_state<F, T>;
  static constexpr int lanes = lanes_of(sizeof(T));

  __device__ __noinline__ static S column_apart(const F& f, const T* p, int rows, std::int64_t index) {
    return fold_column(f, p, rows, index);
  }
  /// Lane j once W lanes are left, 32 or more; j < count.
  template <int W>
  __device__ static S node(const F& f, const T* p, int count, std::int64_t index, int j) {
    if constexpr (W >= lanes) {
      const int rows = (count - j + lanes - 1) / lanes;
      // The code of a large state is not repeated for each of a thread's lanes.
      if constexpr (sizeof(S) > 64)
        return column_apart(f, p + j, rows, index + j);
      else
        return fold_column(f, p + j, rows, index + j);
    } else {
      const S left = node<2 * W>(f, p, count, index, j);
      return j + W < count ? f.combine(left, node<2 * W>(f, p, count, index, j + W)) : left;
    }
  }
  const F& f;
  __device__ explicit warp_states(const F& fold) : f(fold) {}
  __device__ tree_state<F, T> fold(const T* p, int count, std::int64_t index, bool) {
    constexpr int width = lanes < 32 ? lanes : 32;
    const int present = min(count, width);
    // A thread without a lane repeats the last one; its state is not looked at.
    S s = node<width>(f, p, count, index, min(lane_id(), present - 1));
#pragma unroll
    for (int w = width / 2; w > 0; w /= 2) {
      const S right = from_above(s, w);
      if (lane_id() < w && lane_id() + w < present) s = f.combine(s, right);
    }
    return to_tree<F, T>(f, s);
  }
};

/// Operations that do not commute: a thread folds 8 neighbours, 32 threads a node of the aligned tree.
template <class F, class T>
struct warp_ordered {
  using S = lane_state<F, T>;
  const F& f;
  __device__ explicit warp_ordered(const F& fold) : f(fold) {}
  __device__ tree_state<F, T> fold(const T* p, int count, std::int64_t index, bool) {
    const auto combine = [&](const S& a, const S& b) { return f.combine(a, b); };
    const int strips = (count + strip_rows - 1) / strip_rows;
    aligned_tree<S> tree;
    for (int first = 0; first < strips; first += 32) {
      const int present = min(strips - first, 32);
      const int i = (first + min(lane_id(), present - 1)) * strip_rows;
      S s = fold_strip(f, p + i, index + i, 1, min(count - i, strip_rows));
      s = aligned_warp_tree(f, s, present);
      if (lane_id() == 0) tree.push(s, combine);
    }
    S total = fold_strip(f, p, index, 1, 1);  // a state for the threads that have none
    if (lane_id() == 0) total = tree.total(combine);
    return to_tree<F, T>(f, total);
  }
};

/// Operations that push in place: one thread folds the page, first to last.
template <class F, class T>
struct warp_sequence {
  using S = lane_state<F, T>;
  const F& f;
  __device__ explicit warp_sequence(const F& fold) : f(fold) {}
  __device__ tree_state<F, T> fold(const T* p, int count, std::int64_t index, bool) {
    S s = lift_at(f, p[0], index);  // a state for the threads that do nothing, too
    if (lane_id() == 0)
      for (int i = 1; i < count; ++i) f.push(s, p[i]);
    return to_tree<F, T>(f, s);
  }
};

template <class F, class T>
struct warp_page_of {
  using type = warp_states<F, T>;
};
template <class F, class T>
requires(!is_commutative<F> && !pushes_in_place<F, T>) struct warp_page_of<F, T> {
  using type = warp_ordered<F, T>;
};
template <class F, class T>
requires(is_commutative<F>&& folds_packs<F, lane_value<F, T>>) struct warp_page_of<F, T> {
  using type = warp_lanes<F, T>;
};
template <class F, class T>
requires pushes_in_place<F, T>
struct warp_page_of<F, T> {
  using type = warp_sequence<F, T>;
};
/// How a warp folds a page with F.
template <class F, class T>
using warp_page = typename warp_page_of<F, T>::type;

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
