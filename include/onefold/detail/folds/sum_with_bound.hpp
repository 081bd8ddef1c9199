// sum_with_bound: a sum, how far it can be from the exact one, and its condition number, from one pass.
#pragma once

#include "onefold/bound.hpp"
#include "onefold/catalog/sums.hpp"
#include "onefold/detail/fold_traits.hpp"
#include "onefold/detail/folds/fold_for.hpp"
#include "onefold/detail/folds/sum.hpp"
#include "onefold/detail/numbers.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// A sum's own state, and the sum of |x| beside it. That one is a plain sum in every accuracy: a bound needs no more.
template <class T, accuracy A>
struct bounded_fold : library_fold {
  static constexpr bool rare = true;
  using base = rounded_additive<T, A>;
  using element = T;
  using value = typename base::value;
  template <class V>
  using number = typename base::template state<V>;
  template <class V>
  struct state : number<V> {
    V magnitude;
  };

  template <class V>
  static ONEFOLD_INLINE constexpr V absolute(V x) {
    using I = bits_of<V>;
    constexpr value_of<I> all_but_sign = static_cast<value_of<I>>(~(std::uint64_t{1} << (8 * sizeof(value_of<I>) - 1)));
    return bits_as<V>(bits_as<I>(x) & splat<I>(all_but_sign));
  }
  template <class V>
  static ONEFOLD_INLINE constexpr state<V> identity() {
    return {base::template identity<V>(), neutral<V>};
  }
  template <class V>
  static ONEFOLD_INLINE constexpr state<V> lift(V x) {
    return {base::lift(x), absolute(x)};
  }
  template <class V>
  static ONEFOLD_INLINE constexpr state<V> push(state<V> a, V x) {
    return {base::push(number<V>(a), x), a.magnitude + absolute(x)};
  }
  template <class V>
  static ONEFOLD_INLINE constexpr state<V> combine(state<V> a, state<V> b) {
    return {base::combine(number<V>(a), number<V>(b)), a.magnitude + b.magnitude};
  }
  template <class V>
  static ONEFOLD_INLINE constexpr state<V> end_strip(state<V> a) requires requires {
    base::end_strip(number<V>(a));
  }
  { return {base::end_strip(number<V>(a)), a.magnitude}; }

  template <class R>
  static constexpr R finish(state<value> s, std::int64_t n) {
    const two_doubles v = s.value();
    const double size = v.hi < 0 ? -v.hi : v.hi, magnitude = static_cast<double>(s.magnitude) + 0.0;
    // The bound is made from no less than the exact sums: theirs are as far from the computed ones as they can be.
    const double most = magnitude / (1 - gamma(depth_of(n, sizeof(T)), limits<value>::unit));
    const double largest = size * (1 + 0x1p-50) + additions_error<T>(A, n, most);
    return {round_to<decltype(R::value)>(v.hi + 0.0, v.lo), sum_error_bound<T>(A, n, most, largest),
            magnitude == 0 ? 1 : round_to<double>(magnitude / size)};
  }
};

template <class T, accuracy A>
struct fold_for<op::sum_with_bound, T, A> {
  using type = bounded_fold<T, A>;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
