// sum_squares, norm2: additions of squares.
#pragma once

#include "onefold/catalog/sums.hpp"
#include "onefold/detail/folds/additive.hpp"
#include "onefold/detail/folds/exact_powers.hpp"
#include "onefold/detail/folds/fold_for.hpp"
#include "onefold/detail/folds/sum.hpp"
#include "onefold/detail/numbers.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// A plain sum of squares.
template <class V>
struct plain_square : plain<V> {
  static ONEFOLD_INLINE constexpr plain_square identity() { return {plain<V>::identity()}; }
  static ONEFOLD_INLINE constexpr plain_square from(V x) { return {{x * x}}; }
  static ONEFOLD_INLINE constexpr plain_square add(plain_square a, V x) { return {{a.s + x * x}}; }
  static ONEFOLD_INLINE constexpr plain_square merge(plain_square a, plain_square b) { return {{a.s + b.s}}; }
};

/// Squares of every element type add up in f64, where those of elements up to f32 are exact. Root: their root.
template <class T>
struct squares : additive<T, double, plain_square> {
  static constexpr bool rare = is_integer<T>;
};

template <class T, bool Root>
struct squares_fold : squares<T> {
  using kernel = squares<T>;
  template <class R>
  static constexpr R finish(plain_square<double> a, std::int64_t) {
    const double s = a.s + 0.0;  // of no elements: -0
    return round_to<R>(Root ? __builtin_sqrt(s) : s);
  }
};

template <class T, accuracy A, bool Root>
using chosen_squares = std::conditional_t<A == accuracy::exact, exact_squares_fold<T, Root>, squares_fold<T, Root>>;
template <class T, accuracy A>
struct fold_for<op::sum_squares, T, A> {
  using type = chosen_squares<T, A, false>;
};
template <class T, accuracy A>
struct fold_for<op::norm2, T, A> {
  using type = chosen_squares<T, A, true>;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
