// The error bounds of docs/accuracy.md for sums and means, rounded outward: what a result's error never exceeds.
#pragma once

#include <cstdint>

#include "onefold/catalog/facts.hpp"
#include "onefold/detail/format.hpp"
#include "onefold/options.hpp"
#include "onefold/order.hpp"

namespace onefold {
namespace detail {
inline namespace ONEFOLD_LEVEL {

/// The depth of the order (docs/order.md) over n elements of `bytes` bytes: how many additions an element's value goes
/// through at most. A strip, the strips of a page, its lanes, the tree.
ONEFOLD_INLINE constexpr int depth_of(std::int64_t n, std::int64_t bytes) {
  int h = strip_rows + 2;
  for (int lanes = lanes_of(bytes); lanes > 1; lanes /= 2) ++h;
  for (std::int64_t pages = pages_of(n, bytes); pages > 1; pages = (pages + 1) / 2) ++h;
  return h;
}

/// A floating-point type's unit roundoff, its largest finite value, and the most that one rounding of a subnormal
/// number can be off (for f64, which has no half of its smallest number, that number).
template <class R>
struct limits {
  using format = format_of<R>;
  static constexpr double unit = power_of_two(-format::precision);
  static constexpr double largest = (2 - 2 * unit) * power_of_two(format::bias);
  static constexpr double underflow =
      power_of_two(format::lowest > format_of<double>::lowest ? format::lowest - 1 : format::lowest);
};

/// k roundings: k u / (1 - k u). Higham, Accuracy and Stability of Numerical Algorithms, section 3.1.
ONEFOLD_INLINE constexpr double gamma(double k, double u) { return k * u / (1 - k * u); }

/// The error of the additions alone: of n elements of type T whose absolute values add up to `magnitude`.
template <class T>
ONEFOLD_INLINE constexpr double additions_error(accuracy a, std::int64_t n, double magnitude) {
  using state = typename accumulator<T>::type;
  constexpr double u = limits<state>::unit, u64 = limits<double>::unit;
  const double h = depth_of(n, sizeof(T));
  switch (a) {
    case accuracy::native:
      return gamma(h, u) * magnitude;
    case accuracy::kahan:
      return (1 + u) * gamma(h, u) * gamma(2 * h, u) * magnitude;
    case accuracy::wide:
      if constexpr (__is_same(state, double))
        return (1 + u) * 3 * (h + 1) * u * u * (1 + 8 * h * u) * magnitude;
      else
        return (1 + u) * gamma(h, u64) * magnitude;
    case accuracy::exact:
      return 0;
  }
  return __builtin_huge_val();  // nothing is known of a value outside the enumeration
}

/// An error of computed size x, with more than the twenty roundings and underflows that its formula may have had;
/// infinite where x is a NaN, or where sums of numbers as large may overflow on their way to a result of type R.
template <class T>
ONEFOLD_INLINE constexpr double outward(double x, accuracy a, double magnitude, double result) {
  using R = typename accumulator<T>::type;
  constexpr double almost = 1 - 0x1p-20;
  const double most = a == accuracy::native || a == accuracy::kahan ? limits<R>::largest : limits<double>::largest;
  const bool finite = (a == accuracy::exact || magnitude < most * almost) &&
                      (result < 0 ? -result : result) + x < limits<R>::largest * almost;
  return finite ? x * (1 + 0x1p-48) + 4 * limits<double>::underflow : __builtin_huge_val();
}

}  // namespace ONEFOLD_LEVEL
}  // namespace detail

inline namespace ONEFOLD_LEVEL {

/// The most that op::sum of n floating-point elements T, rounded to the sum's own type, is from the exact sum at an
/// accuracy. `magnitude` is the sum of |x|, or more; `sum` the exact sum, or more in absolute value. Infinite where an
/// element is infinite or NaN, or where partial sums may overflow.
template <class T>
ONEFOLD_INLINE constexpr double sum_error_bound(accuracy a, std::int64_t n, double magnitude, double sum) {
  using L = detail::limits<typename detail::accumulator<T>::type>;
  if (magnitude == 0) return 0;
  const double last = a == accuracy::native ? 0 : L::unit * (sum < 0 ? -sum : sum) + L::underflow;
  return detail::outward<T>(last + detail::additions_error<T>(a, n, magnitude), a, magnitude, sum);
}

/// The same for op::mean of n elements T of any type; `mean` is the exact mean, or more in absolute value.
template <class T>
ONEFOLD_INLINE constexpr double mean_error_bound(accuracy a, std::int64_t n, double magnitude, double mean) {
  using L = detail::limits<typename detail::accumulator<T>::type>;
  if (magnitude == 0) return 0;
  constexpr double few = 1 + 8 * L::unit;  // the division has roundings of its own, of the error and of the mean
  // 64-bit integers are rounded to f64 before they are added, but for the exact sum.
  const double converted =
      detail::is_integer<T> && sizeof(T) == 8 && a != accuracy::exact ? detail::limits<double>::unit * magnitude : 0;
  const double total = detail::additions_error<T>(a, n, magnitude) + converted;
  const double last = L::unit * few * (mean < 0 ? -mean : mean) + 2 * L::underflow;
  return detail::outward<T>(total * few / static_cast<double>(n) + last, a, magnitude, mean);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
