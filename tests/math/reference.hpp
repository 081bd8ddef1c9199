// What the functions should give: the C library's long double, and MPFR where that may be in doubt.
#pragma once

#include <mpfr.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace math {

/// A function of the list in more precision: double serves f32, long double f64.
template <class R>
using reference = R (*)(R);

template <class R>
reference<R> reference_of(const std::string& name) {
#define ONEFOLD_MATH_STANDARD(f) \
  if (name == #f) return [](R x) -> R { return std::f(x); };
  ONEFOLD_MATH_STANDARD(exp)
  ONEFOLD_MATH_STANDARD(log)
  ONEFOLD_MATH_STANDARD(exp2)
  ONEFOLD_MATH_STANDARD(log2)
  ONEFOLD_MATH_STANDARD(expm1)
  ONEFOLD_MATH_STANDARD(log1p)
  ONEFOLD_MATH_STANDARD(tanh)
  ONEFOLD_MATH_STANDARD(sqrt)
#undef ONEFOLD_MATH_STANDARD
  if (name == "exp_nonpositive") return [](R x) -> R { return std::exp(x > 0 ? 0 : x); };
  if (name == "rsqrt") return [](R x) -> R { return 1 / std::sqrt(x); };
  throw std::invalid_argument("unknown function " + name);
}

/// The least difference of numbers of T near x, subnormal ones included.
template <class T, class R>
R ulp(R x) {
  if constexpr (sizeof(R) == sizeof(std::uint64_t)) {  // of all f32, in a tenth of the time
    static_assert(sizeof(T) == 4);
    const auto power = std::bit_cast<R>(std::bit_cast<std::uint64_t>(x) & 0x7ff0000000000000);
    return std::max(power * R{0x1p-23}, R{0x1p-149});
  }
  constexpr int digits = sizeof(T) == 4 ? 24 : 53, least = sizeof(T) == 4 ? -149 : -1074;
  const int exponent = x == 0 ? least : std::ilogb(x) - digits + 1;
  return std::ldexp(R{1}, exponent < least ? least : exponent);
}

/// How far y is from f(x) in ulps of f(x), where `exact` is f(x) in more precision. Beyond the largest number infinity
/// is that number's successor. Infinite where one of them is NaN, or infinite when f(x) is not.
template <class T, class R>
R error_in_ulps(T y, R exact) {
  constexpr R beyond = sizeof(T) == 4 ? R{0x1p128} : R{0x1p1023} * 2;
  if (std::isnan(exact) || std::isnan(y)) return std::isnan(exact) && std::isnan(y) ? 0 : R{INFINITY};
  if (std::isinf(exact)) return static_cast<R>(y) == exact ? 0 : R{INFINITY};
  if (std::abs(exact) >= beyond) exact = std::copysign(beyond, exact);
  const R got = std::isinf(y) ? std::copysign(beyond, static_cast<R>(y)) : static_cast<R>(y);
  const R unit = std::abs(exact) >= beyond ? ulp<T>(beyond / 2) : ulp<T>(exact);
  return std::abs(got - exact) / unit;
}

/// The error of y by MPFR, with 200 bits.
template <class T>
double exact_error(const std::string& name, T x, T y) {
  mpfr_t a, b, zero;
  mpfr_init2(a, 200);
  mpfr_init2(b, 200);
  mpfr_init2(zero, 200);
  mpfr_set_zero(zero, 1);
  mpfr_set_d(a, static_cast<double>(x), MPFR_RNDN);
  if (name == "exp") mpfr_exp(b, a, MPFR_RNDN);
  if (name == "exp_nonpositive") mpfr_exp(b, x > 0 ? zero : a, MPFR_RNDN);
  if (name == "log") mpfr_log(b, a, MPFR_RNDN);
  if (name == "exp2") mpfr_exp2(b, a, MPFR_RNDN);
  if (name == "log2") mpfr_log2(b, a, MPFR_RNDN);
  if (name == "expm1") mpfr_expm1(b, a, MPFR_RNDN);
  if (name == "log1p") mpfr_log1p(b, a, MPFR_RNDN);
  if (name == "tanh") mpfr_tanh(b, a, MPFR_RNDN);
  if (name == "sqrt") mpfr_sqrt(b, a, MPFR_RNDN);
  if (name == "rsqrt") mpfr_rec_sqrt(b, a, MPFR_RNDN);
  const long double exact = mpfr_get_ld(b, MPFR_RNDN);
  double error = static_cast<double>(error_in_ulps(y, exact));
  if (std::isfinite(error) && std::isfinite(exact) && std::isfinite(y)) {
    mpfr_sub_d(b, b, static_cast<double>(y), MPFR_RNDN);
    error = static_cast<double>(std::abs(mpfr_get_ld(b, MPFR_RNDN) / ulp<T>(exact)));  // may be below the least f64
  }
  mpfr_clear(a);
  mpfr_clear(b);
  mpfr_clear(zero);
  return error;
}

}  // namespace math
