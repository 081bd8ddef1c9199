// min, max, fmin, fmax, minmax: order-independent selections, exact in every accuracy mode.
//
// The order is total: -0 < +0. In min and max a NaN wins; in fmin and fmax it is ignored (IEEE 754-2019,
// minimum/maximum and minimumNumber/maximumNumber).
#pragma once

#include "onefold/catalog/extrema.hpp"
#include "onefold/detail/fold_traits.hpp"
#include "onefold/detail/folds/fold_for.hpp"
#include "onefold/detail/numbers.hpp"
#include "onefold/detail/pick.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

#ifdef __x86_64__
/// A cheap fold of a full page, one instruction an element, that is right unless the page holds a NaN or its extreme
/// is a zero of unknown sign; then `is_valid` is false and the page is folded again. Whether it holds a NaN, the
/// CPU says: its minimum and maximum raise the invalid-operation flag for one (x86.hpp).
template <class T, side Side>
struct speculative_extreme : library_fold {
  using element = T;
  using value = typename comparison_value<T>::type;
  template <class V>
  using state = plain<V>;
  template <class V>
  static ONEFOLD_INLINE state<V> identity() {
    return {extreme_identity<V, Side>()};
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
  static bool is_valid(state<value> s) { return s.s != 0; }
};

template <class T>
struct speculative_minmax : library_fold {
  using element = T;
  using low = speculative_extreme<T, side::low>;
  using high = speculative_extreme<T, side::high>;
  using value = typename low::value;
  template <class V>
  using state = minmax_result<V>;
  template <class V>
  static ONEFOLD_INLINE state<V> identity() {
    return {extreme_identity<V, side::low>(), extreme_identity<V, side::high>()};
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
  static bool is_valid(state<value> s) { return s.min != 0 && s.max != 0; }
};
#else
template <class T, side Side>
struct speculative_extreme {};
template <class T>
struct speculative_minmax {};
#endif
struct no_speculative_fold {};

/// min, max (NanWins) and fmin, fmax.
template <class T, side Side, bool NanWins>
struct extreme_fold : library_fold {
  static constexpr bool order_free = true, rare = !NanWins, compares_floats = is_float<T>;
  using element = T;
  using value = typename comparison_value<T>::type;
  template <class V>
  using state = plain<V>;
  using speculative = std::conditional_t<is_float<T>, speculative_extreme<T, Side>, no_speculative_fold>;

  template <class V>
  static ONEFOLD_INLINE constexpr plain<V> identity() {
    if constexpr (is_float<T> && !NanWins)
      return {splat<V>(static_cast<value_of<V>>(__builtin_nanf("")))};  // all NaN gives NaN
    else
      return {extreme_identity<V, Side>()};
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
  template <class R, class V>
  static ONEFOLD_INLINE constexpr auto finish_pack(plain<V> s) requires(__is_same(R, value)) {
    if constexpr (is_float<R>)
      return round_pack<R>(s.s);
    else
      return s.s;
  }
};

template <class T>
struct minmax_fold : library_fold {
  static constexpr bool order_free = true, rare = true;
  using element = T;
  using value = typename comparison_value<T>::type;
  template <class V>
  using state = minmax_result<V>;
  using speculative = std::conditional_t<is_float<T>, speculative_minmax<T>, no_speculative_fold>;

  template <class V>
  static ONEFOLD_INLINE constexpr state<V> identity() {
    return {extreme_identity<V, side::low>(), extreme_identity<V, side::high>()};
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

/// NanWins: in min and max. Integers have no NaN, and one fold for both.
template <class T, side Side, bool NanWins>
using chosen_extreme = extreme_fold<T, Side, NanWins || !is_float<T>>;
template <class T, accuracy A>
struct fold_for<op::min, T, A> {
  using type = chosen_extreme<T, side::low, true>;
};
template <class T, accuracy A>
struct fold_for<op::max, T, A> {
  using type = chosen_extreme<T, side::high, true>;
};
template <class T, accuracy A>
struct fold_for<op::fmin, T, A> {
  using type = chosen_extreme<T, side::low, false>;
};
template <class T, accuracy A>
struct fold_for<op::fmax, T, A> {
  using type = chosen_extreme<T, side::high, false>;
};
template <class T, accuracy A>
struct fold_for<op::minmax, T, A> {
  using type = minmax_fold<T>;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
