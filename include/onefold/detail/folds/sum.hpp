// sum, mean: additions of numbers.
#pragma once

#include "onefold/catalog/sums.hpp"
#include "onefold/detail/folds/additive.hpp"
#include "onefold/detail/folds/exact.hpp"
#include "onefold/detail/folds/fold_for.hpp"
#include "onefold/detail/numbers.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The fold of rounded additions at an accuracy.
template <class T, accuracy A>
struct rounded_additive : additive<T, typename accumulator<T>::type, plain> {};
template <class T>
struct rounded_additive<T, accuracy::kahan> : additive<T, typename accumulator<T>::type, compensated> {
  static constexpr bool rare = is_integer<T>;
};
template <class T>
struct rounded_additive<T, accuracy::wide> : additive<T, double, plain> {};
template <class T>
requires(__is_same(typename accumulator<T>::type, double)) struct rounded_additive<T, accuracy::wide>
    : additive<T, double, double_double> {
  static constexpr bool rare = is_integer<T>;
};

template <class T, accuracy A>
struct sum_fold : rounded_additive<T, A> {
  using base = rounded_additive<T, A>;
  using kernel = base;
  using number = typename base::template state<typename base::value>;
  // Without an initial value a sum's zero is +0 (docs/semantics.md): adding 0.0 changes -0.0 only, which the identity
  // leaves.
  template <class R>
  static constexpr R finish(number s, std::int64_t) {
    const two_doubles v = s.value();
    return round_to<R>(v.hi + 0.0, v.lo);
  }
  template <class R>
  static constexpr R finish(number s, std::int64_t, R init) {
    return s.value().plus(as_double(init)).template round<R>();
  }
  template <class R, class V>
  static ONEFOLD_INLINE constexpr auto finish_pack(typename base::template state<V> s) requires(!is_small_float<R>) {
    return round_pack<R>(s.rounded() + V{});
  }
};

template <class T, accuracy A>
requires(is_integer<T>) struct sum_fold<T, A> : additive<T, typename page_accumulator<T>::type, wrapping> {
  static constexpr bool order_free = true;
  using total = wrapping<std::uint64_t>;
  using base = additive<T, typename page_accumulator<T>::type, wrapping>;
  using base::combine;
  static constexpr total combine(total a, total b) { return total::merge(a, b); }
  static constexpr total close(wrapping<typename base::value> s) { return {static_cast<std::uint64_t>(s.s)}; }
  template <class R>
  static constexpr R finish(wrapping<std::uint64_t> s, std::int64_t) {
    return static_cast<R>(static_cast<wide_integer<T>>(s.s));
  }
  /// An initial value of an integer result wraps as the elements do; one of a rounded result joins their sum exactly.
  template <class R>
  static constexpr R finish(wrapping<std::uint64_t> s, std::int64_t n, R init) {
    if constexpr (is_integer<R>)
      return finish<R>(total::merge(s, {static_cast<std::uint64_t>(init)}), n);
    else
      return round_with(integer_total::from(static_cast<wide_integer<T>>(s.s)), n, init);
  }
};

template <class T, accuracy A>
struct mean_fold : rounded_additive<T, A> {
  using base = rounded_additive<T, A>;
  using kernel = base;
  template <class R>
  static constexpr R finish(typename base::template state<typename base::value> s, std::int64_t n) {
    return s.template mean<R>(n);
  }
};

/// Integers at every accuracy but exact: the same sum, which wraps.
template <class T, accuracy A>
struct fold_for<op::sum, T, A> {
  using type =
      std::conditional_t<A == accuracy::exact, exact_sum_fold<T>, sum_fold<T, is_integer<T> ? accuracy::native : A>>;
};
template <class T, accuracy A>
struct fold_for<op::mean, T, A> {
  using type = std::conditional_t<A == accuracy::exact, exact_mean_fold<T>, mean_fold<T, A>>;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
