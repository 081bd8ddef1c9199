// log, log2 and log1p: x = 2^k (1 + f) with 1 + f between sqrt(1/2) and sqrt(2), and a polynomial for log(1 + f).
#pragma once

#include "onefold/detail/math/arithmetic.hpp"

namespace onefold::detail::math {
inline namespace ONEFOLD_LEVEL {

template <class T>
struct log_constants;
template <>
struct log_constants<float> {
  static constexpr std::uint32_t sqrt_half = 0x3f3504f3;
  static constexpr float two_to_fraction = 0x1p23f;
  static constexpr float ln2_high = 0x1.62e4p-1f, ln2_low = 0x1.7f7d1cp-20f;
  // log2(e), and in two parts, the first of 12 bits.
  static constexpr float log2_e = 0x1.715476p0f, log2_e_half = 0x1.714p0f, log2_e_rest = 0x1.47652cp-12f;
};
template <>
struct log_constants<double> {
  static constexpr std::uint64_t sqrt_half = 0x3fe6a09e667f3bcd;
  static constexpr double two_to_fraction = 0x1p52;
  static constexpr double ln2_high = 0x1.62e42fefa38p-1, ln2_low = 0x1.ef35793c7673p-45;
  static constexpr double log2_e = 0x1.71547652b82fep0, log2_e_half = 0x1.715476p0, log2_e_rest = 0x1.4ae0bf85ddf44p-26;
};

/// x = 2^k (1 + f), for normal x > 0.
template <class V>
struct binary_parts {
  using U = unsigned_of<V>;
  V k, f;
  U biased_k;  // k + bias
  /// `zero`: what stands for k = 0 in a number whose low bits are k + bias; more where x was scaled before.
  ONEFOLD_INLINE constexpr binary_parts(V x, V zero) : k(), f(), biased_k() {
    using C = log_constants<value_of<V>>;
    constexpr auto bias = ieee_of<V>::bias;
    constexpr int fraction = ieee_of<V>::fraction_bits;
    constexpr auto one = bias << fraction;
    const U bits = bits_as<U>(x) + splat<U>(one - C::sqrt_half);
    biased_k = bits >> fraction;
    k = bits_as<V>(biased_k | splat<U>(__builtin_bit_cast(typename ieee_of<V>::bits, C::two_to_fraction))) - zero;
    f = bits_as<V>((bits & splat<U>((static_cast<typename ieee_of<V>::bits>(1) << fraction) - 1)) +
                   splat<U>(C::sqrt_half)) -
        splat<V>(1);
  }
};

/// log(1 + f) = high + low: f - f^2/2 + the rest.
///
/// The rest is f^3 times a polynomial in f32. In f64 that would take 20 terms: there it is s (f^2/2 + s^2 times a
/// polynomial in s^2), s = f / (2 + f), as in fdlibm's e_log.c; the division runs beside the products.
template <class V>
struct log1p_parts {
  V high, low;
  ONEFOLD_INLINE constexpr explicit log1p_parts(V f) : high(), low() {
    const V f2 = times(f, f), g = times(splat<V>(static_cast<value_of<V>>(0.5)), f2);
    high = f - g;
    V rest{};
    if constexpr (sizeof(value_of<V>) == 4) {
      rest = times(times(f, f2), polynomial(f, f2, 0x1.555556p-2f, -0x1.00022cp-2f, 0x1.999ed8p-3f, -0x1.546f6cp-3f,
                                            0x1.22f48p-3f, -0x1.0dbf96p-3f, 0x1.04b134p-3f, -0x1.35b04cp-4f));
    } else {
      const V s = quotient(f, splat<V>(2) + f), w = times(s, s);
      const V p = polynomial(w, times(w, w), 0x1.5555555555592p-1, 0x1.99999999801b2p-2, 0x1.24924941b63b9p-2,
                             0x1.c71c523b419f8p-3, 0x1.7466344634911p-3, 0x1.39a2d6fea46ccp-3, 0x1.2ef9d25ab0f31p-3);
      rest = times(s, g + times(w, p));
    }
    low = ((f - high) - g) + rest;
  }
};

/// k ln 2 + high + low, where |k ln 2| > |high|, or k is 0.
template <class V>
ONEFOLD_INLINE constexpr V log_sum(V k, V high, V low) {
  using C = log_constants<value_of<V>>;
  const V a = times(k, splat<V>(C::ln2_high));  // exact
  const V s = a + high;
  return s + (((a - s) + high) + (low + times(k, splat<V>(C::ln2_low))));
}

/// The parts of any x > 0: a subnormal one is scaled before.
template <class V>
ONEFOLD_INLINE constexpr binary_parts<V> parts_of_positive(V x) {
  using F = ieee_of<V>;
  using T = value_of<V>;
  constexpr T zero = log_constants<T>::two_to_fraction + static_cast<T>(F::bias);
  constexpr T shift = sizeof(T) == 4 ? 24 : 54;
  const auto subnormal = x < splat<V>(F::least_normal);
  return {subnormal ? times(x, splat<V>(F::two_to_digits)) : x, subnormal ? splat<V>(zero + shift) : splat<V>(zero)};
}

/// What a logarithm that was computed as y is at the ends of its domain: -infinity at `pole`, NaN below.
template <class V>
ONEFOLD_INLINE constexpr V with_ends(V y, V x, value_of<V> pole) {
  const V infinity = of_bits<V>(ieee_of<V>::infinity);
  y = x == infinity ? x : y;
  const V end = x == splat<V>(pole) ? -infinity : of_bits<V>(ieee_of<V>::nan);
  return x > splat<V>(pole) ? y : end;
}

template <class V>
ONEFOLD_INLINE constexpr V log_of(V x) {
  const binary_parts<V> a = parts_of_positive(x);
  const log1p_parts<V> l(a.f);
  return with_ends(log_sum(a.k, l.high, l.low), x, 0);
}

template <class V>
ONEFOLD_INLINE constexpr V log2_of(V x) {
  using C = log_constants<value_of<V>>;
  const binary_parts<V> a = parts_of_positive(x);
  const log1p_parts<V> l(a.f);
  // The logarithm times log2(e) is y + rest, where y is exact.
  const V upper = upper_half(l.high);
  const V y = times(upper, splat<V>(C::log2_e_half));
  const V rest = times(upper, splat<V>(C::log2_e_rest)) + times((l.high - upper) + l.low, splat<V>(C::log2_e));
  const V s = a.k + y;
  return with_ends(s + (((a.k - s) + y) + rest), x, 0);
}

/// log(u + c), where u + c = 1 + x exactly: c / u, small against u, joins the parts of log(u).
template <class V>
ONEFOLD_INLINE constexpr V log1p_of(V x) {
  using U = unsigned_of<V>;
  using T = value_of<V>;
  using F = ieee_of<V>;
  const V one = splat<V>(1), u = one + x;
  const V t = u - one, c = (one - (u - t)) + (x - t);  // Knuth's exact sum
  const binary_parts<V> a(u, splat<V>(log_constants<T>::two_to_fraction + static_cast<T>(F::bias)));
  const log1p_parts<V> l(a.f);
  // c 2^-k / (1 + f), where the quotient need not be accurate. For the largest k the bits are those of -infinity.
  const V power = at_least(bits_as<V>((splat<U>(2 * F::bias) - a.biased_k) << F::fraction_bits), 0);
  const V reciprocal = one - times(a.f, one - times(splat<V>(static_cast<T>(0.75)), a.f));
  const V low = l.low + times(times(c, power), reciprocal);
  return with_ends(with_sign_of(log_sum(a.k, l.high, low), x), x, -1);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail::math
