// argmin, argmax: the first index of the extreme element.
#pragma once

#include "onefold/operation.hpp"
#include "onefold/operations/extrema.hpp"

namespace onefold {
namespace detail {
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
struct arg_fold {
  using element = T;
  using extreme = extreme_fold<T, Side, true>;
  using value = typename extreme::value;
  using state = indexed<value>;

  static constexpr state identity() { return {farthest<value, Side>(), -1}; }
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

}  // namespace ONEFOLD_LEVEL
}  // namespace detail

inline namespace ONEFOLD_LEVEL {
namespace op {

/// What argmin and argmax share.
template <detail::side Side>
struct arg_extreme {
  static constexpr bool empty_allowed = false;
  static constexpr bool takes_init = false;
  static constexpr bool rounded = false;
  template <class T>
  static constexpr bool accepts = true;
  template <class T>
  using result = std::int64_t;
  template <class T>
  static constexpr const char* declines(accuracy) {
    return nullptr;
  }
  template <class T, accuracy>
  using fold = detail::arg_fold<T, Side>;
};

/// The index of the first smallest element, or of the first NaN; -0 < +0. Empty: an error.
struct argmin : arg_extreme<detail::side::low> {
  static constexpr const char* name = "argmin";
  static constexpr const char* summary = "index of the first smallest element";
};
/// The index of the first largest element, or of the first NaN; -0 < +0. Empty: an error.
struct argmax : arg_extreme<detail::side::high> {
  static constexpr const char* name = "argmax";
  static constexpr const char* summary = "index of the first largest element";
};

}  // namespace op
}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
