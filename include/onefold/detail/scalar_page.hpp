// Folds one page with scalar states: lane by lane, or in the order of the elements. docs/order.md.
#pragma once

#include <cstdint>

#include "onefold/detail/fold_traits.hpp"
#include "onefold/detail/strict_math.hpp"
#include "onefold/operation.hpp"
#include "onefold/order.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

template <class F, class T>
ONEFOLD_INLINE constexpr auto lift_at(const F& f, const T& x, std::int64_t index) {
  if constexpr (requires { f.lift(x, index); })
    return f.lift(x, index);
  else
    return f.lift(x);
}

template <class F, class S, class T>
ONEFOLD_INLINE constexpr S push_at(const F& f, const S& s, const T& x, std::int64_t index) {
  if constexpr (requires { f.push(s, x); })
    return f.push(s, x);
  else
    return f.combine(s, lift_at(f, x, index));
}

/// Folds `count` elements p[0], p[stride], ... first to last; `index` is p's index in the array.
template <class F, class T>
ONEFOLD_INLINE constexpr lane_state<F, T> fold_strip(const F& f, const T* p, std::int64_t index, int stride,
                                                     int count) {
  lane_state<F, T> s = lift_at(f, p[0], index);
  for (int r = 1; r < count; ++r) s = push_at(f, s, p[r * stride], index + r * stride);
  return end_strip(f, s);
}

/// Folds one lane: `rows` elements, a row apart, from p, whose index in the array is given.
template <class F, class T>
ONEFOLD_INLINE constexpr lane_state<F, T> fold_column(const F& f, const T* p, int rows, std::int64_t index) {
  constexpr int lanes = lanes_of(sizeof(T));
  const auto strip = [&](int s) {
    const int first = s * strip_rows, left = rows - first;
    return fold_strip(f, p + first * lanes, index + first * lanes, lanes, left < strip_rows ? left : strip_rows);
  };
  const int strips = (rows + strip_rows - 1) / strip_rows;
  lane_state<F, T> a = strip(0);
  if (strips > 1) a = f.combine(a, strip(1));
  if (strips > 2) {
    const lane_state<F, T> b = strip(2);
    a = f.combine(a, strips > 3 ? f.combine(b, strip(3)) : b);
  }
  return a;
}

/// Folds the first `count` elements of a page whose first element has the given index, lane by lane. Lanes
/// are combined in the same tree as by halving, walked depth first, so that a state may be of any size.
template <class F, class T>
struct lane_page {
  static constexpr int lanes = lanes_of(sizeof(T));
  using S = lane_state<F, T>;

  static S part(const F& f, const T* p, int count, std::int64_t index) { return node(f, p, count, index, 0, 1); }

 private:
  /// Lane j after halving to w lanes; j < count.
  static S node(const F& f, const T* p, int count, std::int64_t index, int j, int w) {
    if (w == lanes) return fold_column(f, p + j, (count - j + lanes - 1) / lanes, index + j);
    const S left = node(f, p, count, index, j, 2 * w);
    return j + w < count ? f.combine(left, node(f, p, count, index, j + w, 2 * w)) : left;
  }
};

/// Folds a page of an operation that does not commute: runs of 8 neighboring elements first to last, and the
/// aligned tree above them.
template <class F, class T>
struct ordered_page {
  using S = lane_state<F, T>;
  static S part(const F& f, const T* p, int count, std::int64_t index) {
    aligned_tree<S> tree;
    const auto combine = [&](const S& a, const S& b) { return f.combine(a, b); };
    for (int i = 0; i < count; i += strip_rows) {
      const int left = count - i;
      tree.push(fold_strip(f, p + i, index + i, 1, left < strip_rows ? left : strip_rows), combine);
    }
    return tree.total(combine);
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
