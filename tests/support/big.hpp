// Exact arithmetic for oracles: a thin class over MPFR, wide enough for sums of squares of binary64.
#pragma once

#include <mpfr.h>

#include <cstdint>
#include <type_traits>
#include <utility>

#include "support/number.hpp"

namespace support {

/// A number of 4600 bits: squares of binary64 span 4196 bits, sums of 2^64 of them 64 more.
class big {
 public:
  static constexpr mpfr_prec_t precision = 4600;
  big() {
    mpfr_init2(x_, precision);
    mpfr_set_zero(x_, 1);
  }
  /// The value of an element, exactly.
  template <class T>
  static big from(T x) {
    big b;
    const auto v = value_of(x);
    if constexpr (std::is_same_v<decltype(v), const double>)
      mpfr_set_d(b.x_, v, MPFR_RNDN);
    else if constexpr (std::is_signed_v<decltype(v)>)
      mpfr_set_sj(b.x_, v, MPFR_RNDN);
    else
      mpfr_set_uj(b.x_, v, MPFR_RNDN);
    return b;
  }
  big(const big& other) : big() { mpfr_set(x_, other.x_, MPFR_RNDN); }
  big& operator=(const big& other) {
    mpfr_set(x_, other.x_, MPFR_RNDN);
    return *this;
  }
  ~big() { mpfr_clear(x_); }

  friend big operator+(const big& a, const big& b) { return made(mpfr_add, a, b); }
  friend big operator-(const big& a, const big& b) { return made(mpfr_sub, a, b); }
  friend big operator*(const big& a, const big& b) { return made(mpfr_mul, a, b); }
  friend big operator/(const big& a, const big& b) { return made(mpfr_div, a, b); }
  big& operator+=(const big& b) {
    mpfr_add(x_, x_, b.x_, MPFR_RNDN);
    return *this;
  }
  big& operator*=(const big& b) {
    mpfr_mul(x_, x_, b.x_, MPFR_RNDN);
    return *this;
  }
  friend big sqrt(const big& a) {
    big r;
    mpfr_sqrt(r.x_, a.x_, MPFR_RNDN);
    return r;
  }
  friend big abs(const big& a) {
    big r;
    mpfr_abs(r.x_, a.x_, MPFR_RNDN);
    return r;
  }
  /// The nearest value of a floating-point type, rounded once.
  template <class R>
  R rounded() const {
    // mpfr_get_flt and mpfr_get_d round subnormals once, too.
    if constexpr (std::is_same_v<R, float>)
      return mpfr_get_flt(x_, MPFR_RNDN);
    else if constexpr (std::is_same_v<R, double>)
      return mpfr_get_d(x_, MPFR_RNDN);
    else
      return R::from_bits(rounded_small(format_of<R>));
  }
  /// For comparisons with bounds: the range of long double holds every square of a double.
  long double approximate() const { return mpfr_get_ld(x_, MPFR_RNDN); }

 private:
  template <class Function>
  static big made(Function f, const big& a, const big& b) {
    big r;
    f(r.x_, a.x_, b.x_, MPFR_RNDN);
    return r;
  }
  // To odd at 53 bits first (round toward zero, keep a sticky bit), so that `encode` rounds the exact value.
  std::uint16_t rounded_small(format f) const {
    mpfr_t t;
    mpfr_init2(t, 50);
    const int inexact = mpfr_set(t, x_, MPFR_RNDZ);
    double d = mpfr_get_d(t, MPFR_RNDZ);
    mpfr_clear(t);
    if (inexact && d != 0) d = std::bit_cast<double>(std::bit_cast<std::uint64_t>(d) | 1u);
    return encode(d, f);
  }
  mpfr_t x_;
};

}  // namespace support
