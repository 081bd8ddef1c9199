// min, max, fmin, fmax, minmax: order-independent selections, exact in every accuracy mode.
//
// The order is total: -0 < +0. In min and max a NaN wins; in fmin and fmax it is ignored (IEEE 754-2019,
// minimum/maximum and minimumNumber/maximumNumber).
#pragma once

#include "onefold/accuracy.hpp"
#include "onefold/detail/pick.hpp"
#include "onefold/operation.hpp"

namespace onefold {

/// The result of minmax.
template <class T>
struct minmax_result {
  T min, max;
  friend constexpr bool operator==(const minmax_result&, const minmax_result&) = default;
};

namespace detail {
inline namespace ONEFOLD_LEVEL {

#ifdef __x86_64__
/// A cheap fold of a full page, one instruction an element, that is right unless the page holds a NaN or its extreme
/// is a zero of unknown sign; then `trusted` is false and the page is folded again. Whether it holds a NaN, the
/// CPU says: its minimum and maximum raise the invalid-operation flag for one (x86.hpp).
template <class T, side Side>
struct quick_extreme {
  using element = T;
  using value = typename comparison_value<T>::type;
  template <class V>
  using state = plain<V>;
  template <class V>
  static ONEFOLD_INLINE state<V> identity() {
    return {farthest<V, Side>()};
  }
  template <class V>
  static ONEFOLD_INLINE state<V> lift(V x) {
    return {x};
  }
  template <class V>
  static ONEFOLD_INLINE state<V> push(state<V> a, V x) {
    if constexpr (Side == side::low)
      return {min_instruction(x, a.s)};
    else
      return {max_instruction(x, a.s)};
  }
  template <class V>
  static ONEFOLD_INLINE state<V> combine(state<V> a, state<V> b) {
    return push(a, b.s);
  }
  static constexpr bool flags_nan = true;
  static bool trusted(state<value> s) { return s.s != 0; }
};

template <class T>
struct quick_minmax {
  using element = T;
  using low = quick_extreme<T, side::low>;
  using high = quick_extreme<T, side::high>;
  using value = typename low::value;
  template <class V>
  using state = minmax_result<V>;
  template <class V>
  static ONEFOLD_INLINE state<V> identity() {
    return {farthest<V, side::low>(), farthest<V, side::high>()};
  }
  template <class V>
  static ONEFOLD_INLINE state<V> lift(V x) {
    return {x, x};
  }
  template <class V>
  static ONEFOLD_INLINE state<V> push(state<V> a, V x) {
    return combine(a, lift(x));
  }
  template <class V>
  static ONEFOLD_INLINE state<V> combine(state<V> a, state<V> b) {
    return {low::push(plain<V>{a.min}, b.min).s, high::push(plain<V>{a.max}, b.max).s};
  }
  static constexpr bool flags_nan = true;
  static bool trusted(state<value> s) { return s.min != 0 && s.max != 0; }
};
#else
template <class T, side Side>
struct quick_extreme {};
template <class T>
struct quick_minmax {};
#endif
struct no_quick_fold {};

/// min, max (NanWins) and fmin, fmax.
template <class T, side Side, bool NanWins>
struct extreme_fold {
  using element = T;
  using value = typename comparison_value<T>::type;
  template <class V>
  using state = plain<V>;
  using quick = pick_type<is_float<T>, quick_extreme<T, Side>, no_quick_fold>;

  template <class V>
  static ONEFOLD_INLINE constexpr plain<V> identity() {
    if constexpr (is_float<T> && !NanWins)
      return {splat<V>(static_cast<value_of<V>>(__builtin_nanf("")))};  // all NaN gives NaN
    else
      return {farthest<V, Side>()};
  }
  template <class V>
  static ONEFOLD_INLINE constexpr plain<V> lift(V x) {
    return {x};
  }
  template <class V>
  static ONEFOLD_INLINE constexpr plain<V> push(plain<V> a, V x) {
    return {NanWins ? pick_nan<Side>(a.s, x) : pick_number<Side>(a.s, x)};
  }
  template <class V>
  static ONEFOLD_INLINE constexpr plain<V> combine(plain<V> a, plain<V> b) {
    return push(a, b.s);
  }
  template <class R>
  static constexpr R finish(plain<value> s, std::int64_t) {
    return selected<R>(s.s);
  }
  template <class R>
  static constexpr plain<value> start(R init) {
    return {comparable(init)};
  }
};

template <class T>
struct minmax_fold {
  using element = T;
  using value = typename comparison_value<T>::type;
  template <class V>
  using state = minmax_result<V>;
  using quick = pick_type<is_float<T>, quick_minmax<T>, no_quick_fold>;

  template <class V>
  static ONEFOLD_INLINE constexpr state<V> identity() {
    return {farthest<V, side::low>(), farthest<V, side::high>()};
  }
  template <class V>
  static ONEFOLD_INLINE constexpr state<V> lift(V x) {
    return {x, x};
  }
  template <class V>
  static ONEFOLD_INLINE constexpr state<V> push(state<V> a, V x) {
    return combine(a, lift(x));
  }
  template <class V>
  static ONEFOLD_INLINE constexpr state<V> combine(state<V> a, state<V> b) {
    return {pick_nan<side::low>(a.min, b.min), pick_nan<side::high>(a.max, b.max)};
  }
  template <class R>
  static constexpr R finish(state<value> s, std::int64_t) {
    return {selected<T>(s.min), selected<T>(s.max)};
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace detail

inline namespace ONEFOLD_LEVEL {
namespace op {

/// What min, max, fmin and fmax share.
template <detail::side Side, bool NanWins>
struct extreme {
  static constexpr bool empty_allowed = false;
  static constexpr bool takes_init = true;
  static constexpr bool rounded = false;
  template <class T>
  static constexpr bool accepts = true;
  template <class T>
  using result = T;
  template <class T>
  static constexpr const char* declines(accuracy) {
    return nullptr;
  }
  template <class T, accuracy>
  using fold = detail::extreme_fold<T, Side, NanWins || !detail::is_float<T>>;
};

/// The smallest element; NaN if there is one; -0 < +0. Empty: an error.
struct min : extreme<detail::side::low, true> {
  static constexpr const char* name = "min";
  static constexpr const char* summary = "smallest element; NaN if there is one";
};
/// The largest element; NaN if there is one; -0 < +0. Empty: an error.
struct max : extreme<detail::side::high, true> {
  static constexpr const char* name = "max";
  static constexpr const char* summary = "largest element; NaN if there is one";
};
/// The smallest element that is not a NaN; NaN if all are. Empty: an error.
struct fmin : extreme<detail::side::low, false> {
  static constexpr const char* name = "fmin";
  static constexpr const char* summary = "smallest element, NaN ignored";
};
/// The largest element that is not a NaN; NaN if all are. Empty: an error.
struct fmax : extreme<detail::side::high, false> {
  static constexpr const char* name = "fmax";
  static constexpr const char* summary = "largest element, NaN ignored";
};

/// Smallest and largest element in one pass, as min and max.
struct minmax {
  static constexpr const char* name = "minmax";
  static constexpr const char* summary = "smallest and largest element";
  static constexpr bool empty_allowed = false;
  static constexpr bool takes_init = false;
  static constexpr bool rounded = false;
  template <class T>
  static constexpr bool accepts = true;
  template <class T>
  using result = minmax_result<T>;
  template <class T>
  static constexpr const char* declines(accuracy) {
    return nullptr;
  }
  template <class T, accuracy>
  using fold = detail::minmax_fold<T>;
};

}  // namespace op
}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
