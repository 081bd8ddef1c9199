// Sums and products: sum, product, mean, sum_squares, norm2, sum_with_bound.
#pragma once

#include "onefold/catalog/facts.hpp"

namespace onefold {

/// The result of sum_with_bound.
template <class R>
struct bounded_sum {
  R value;           ///< what sum returns, to the bit
  double bound;      ///< |value - exact sum| is at most this; infinite where the sum may have overflowed or is none
  double condition;  ///< sum of |x| over |sum|, before the sum is rounded to value: infinite where the sum is 0, 1
                     ///< where all elements are 0
  /// Whether all members are equal.
  friend constexpr bool operator==(const bounded_sum&, const bounded_sum&) = default;
};

inline namespace ONEFOLD_LEVEL {
namespace op {

/// The sum of all elements. Integers add in i64 or u64 and wrap (at accuracy exact: an error instead); f16 and bf16
/// give f32. Empty: 0.
struct sum : common_facts {
  static constexpr const char* name = "sum";
  static constexpr bool has_scan_verb = true;
  static constexpr const char* summary = "sum of all elements";
  static constexpr operation_family family = operation_family::sum;
  static constexpr bool empty_allowed = true;
  static constexpr bool takes_init = true;
  static constexpr bool rounded = true;
  template <class T>
  using result = typename detail::arithmetic_result<T>::type;
};

/// The product of all elements; types as for sum. Empty: 1. Accuracies: native and wide.
struct product : common_facts {
  static constexpr const char* name = "product";
  static constexpr bool has_scan_verb = true;
  static constexpr const char* summary = "product of all elements";
  static constexpr operation_family family = operation_family::sum;
  static constexpr bool empty_allowed = true;
  static constexpr bool takes_init = true;
  static constexpr bool rounded = true;
  template <class T>
  using result = typename detail::arithmetic_result<T>::type;
  template <class T>
  static constexpr const char* declines(accuracy a) {
    return a == accuracy::kahan || a == accuracy::exact
               ? "a product has accuracy native and wide only; the nearest is wide"
               : nullptr;
  }
};

/// The arithmetic mean; f32 for f32, f16 and bf16, f64 for f64 and integers. Integers add in f64 (at
/// accuracy exact: exactly). Empty: an error.
struct mean : common_facts {
  static constexpr const char* name = "mean";
  static constexpr const char* summary = "arithmetic mean";
  static constexpr operation_family family = operation_family::mean;
  static constexpr bool empty_allowed = false;
  static constexpr bool takes_init = false;
  static constexpr bool rounded = true;
  template <class T>
  using result = typename detail::accumulator<T>::type;
};

/// What the operations on squares share. They keep their state in f64: native and wide are the same for elements up to
/// f32 and integers; f64 has native, and both have exact.
struct squares_based : common_facts {
  static constexpr operation_family family = operation_family::squares;
  static constexpr bool empty_allowed = true;
  static constexpr bool takes_init = false;
  static constexpr bool rounded = true;
  template <class T>
  using result = typename detail::accumulator<T>::type;
  template <class T>
  static constexpr const char* declines(accuracy a) {
    constexpr bool is_f64 = __is_same(T, double);
    if (a != accuracy::kahan && !(a == accuracy::wide && is_f64)) return nullptr;
    return is_f64 ? "sums of squares of f64 have accuracy native and exact only; the nearest is exact"
                  : "sums of squares have accuracy native, wide and exact only; the nearest is exact";
  }
};

/// The sum of the elements' squares; f32 for f32, f16 and bf16, f64 for f64 and integers. Empty: 0.
struct sum_squares : squares_based {
  static constexpr const char* name = "sum_squares";
  static constexpr const char* summary = "sum of squares";
};
/// The Euclidean norm, the square root of the sum of squares: not scaled, so that squares beyond f64's range overflow
/// or vanish, but at accuracy exact. Empty: 0.
struct norm2 : squares_based {
  static constexpr const char* name = "norm2";
  static constexpr const char* summary = "Euclidean norm, the root of the sum of squares";
};

/// The sum of floating-point elements with its error bound (docs/accuracy.md) and condition number. Empty: 0, without
/// an error.
struct sum_with_bound : common_facts {
  static constexpr const char* name = "sum_with_bound";
  static constexpr const char* summary = "sum, with its error bound and condition number";
  static constexpr operation_family family = operation_family::sum;
  static constexpr bool empty_allowed = true;
  static constexpr bool takes_init = false;
  static constexpr bool rounded = false;
  template <class T>
  static constexpr bool accepts = detail::is_float<T>;
  static constexpr const char* accepts_only = "it takes floating-point elements only";
  template <class T>
  using result = bounded_sum<typename detail::arithmetic_result<T>::type>;
  template <class T>
  static constexpr const char* declines(accuracy a) {
    return a == accuracy::exact
               ? "an exact sum is within half an ulp without a bound of its own: take sum; the nearest "
                 "accuracy of sum_with_bound is wide"
               : nullptr;
  }
};

}  // namespace op
}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
