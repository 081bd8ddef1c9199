// sum_squares, norm2: additions of squares.
#pragma once

#include "onefold/accuracy.hpp"
#include "onefold/operation.hpp"
#include "onefold/operations/additive.hpp"
#include "onefold/operations/exact_powers.hpp"
#include "onefold/operations/sum.hpp"

namespace onefold {
namespace detail {
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
template <class T, bool Root>
struct squares_fold : additive<T, double, plain_square> {
  using kernel = additive<T, double, plain_square>;
  template <class R>
  static constexpr R finish(plain_square<double> a, std::int64_t) {
    const double s = a.s + 0.0;  // of no elements: -0
    return round_to<R>(Root ? __builtin_sqrt(s) : s);
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace detail

inline namespace ONEFOLD_LEVEL {
namespace op {

/// What the operations on squares share. They keep their state in f64: native and wide are the same for elements up to
/// f32 and integers; f64 has native, and both have exact.
template <bool Root>
struct squares_based {
  static constexpr bool empty_allowed = true;
  static constexpr bool takes_init = false;
  static constexpr bool rounded = true;
  template <class T>
  static constexpr bool accepts = true;
  template <class T>
  using result = typename detail::accumulator<T>::type;
  template <class T>
  static constexpr const char* declines(accuracy a) {
    constexpr bool is_f64 = __is_same(T, double);
    if (a != accuracy::kahan && !(a == accuracy::wide && is_f64)) return nullptr;
    return is_f64 ? "sums of squares of f64 have accuracy native and exact only; the nearest is exact"
                  : "sums of squares have accuracy native, wide and exact only; the nearest is exact";
  }
  template <class T, accuracy A>
  using fold =
      detail::pick_type<A == accuracy::exact, detail::exact_squares_fold<T, Root>, detail::squares_fold<T, Root>>;
};

/// The sum of the elements' squares; f32 for f32, f16 and bf16, f64 for f64 and integers. Empty: 0.
struct sum_squares : squares_based<false> {
  static constexpr const char* name = "sum_squares";
  static constexpr const char* summary = "sum of squares";
};
/// The Euclidean norm, the square root of the sum of squares: not scaled, so that squares beyond f64's range overflow
/// or vanish, but at accuracy exact. Empty: 0.
struct norm2 : squares_based<true> {
  static constexpr const char* name = "norm2";
  static constexpr const char* summary = "Euclidean norm, the root of the sum of squares";
};

}  // namespace op
}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
