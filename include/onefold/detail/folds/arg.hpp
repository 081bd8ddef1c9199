// argmin, argmax: the first index of the extreme element.
#pragma once

#include "onefold/catalog/extrema.hpp"
#include "onefold/detail/fold_traits.hpp"
#include "onefold/detail/folds/extrema.hpp"
#include "onefold/detail/folds/fold_for.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The best element so far and its index; index -1 before the first.
template <class A>
struct indexed {
  A value;
  std::int64_t index;
};

/// argmin and argmax: order-independent, because ties go to the lower index. In the order of min and max,
/// so that the element at the result has the bits of min or max; a NaN is best, and the first NaN wins.
template <class T, side Side>
struct arg_fold : library_fold {
  using element = T;
  using extreme = extreme_fold<T, Side, true>;
  using value = typename extreme::value;
  using state = indexed<value>;

  static constexpr state identity() { return {extreme_identity<value, Side>(), -1}; }
  static constexpr state lift(T x, std::int64_t index) { return {comparable(x), index}; }
  static constexpr state combine(state a, state b) {
    if (b.index < 0) return a;
    if (a.index < 0) return b;
    const bool take_b = same(a.value, b.value) ? b.index < a.index : same(pick_nan<Side>(a.value, b.value), b.value);
    return take_b ? b : a;
  }
  template <class R>
  static constexpr R finish(state s, std::int64_t) {
    return s.index;
  }

  /// Equal bits, or both NaN.
  template <class V>
  static ONEFOLD_INLINE constexpr auto same(V a, V b) {
    if constexpr (is_float<value_of<V>>)
      return (bits_as<bits_of<V>>(a) == bits_as<bits_of<V>>(b)) | ((a != a) & (b != b));
    else
      return a == b;
  }
};

template <class T, accuracy A>
struct fold_for<op::argmin, T, A> {
  using type = arg_fold<T, side::low>;
};
template <class T, accuracy A>
struct fold_for<op::argmax, T, A> {
  using type = arg_fold<T, side::high>;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
