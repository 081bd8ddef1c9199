// exp, exp2, expm1 and tanh: a power of two times a polynomial near 1, in twice the precision where it matters.
//
// The arguments are reduced as by Cody and Waite (1980): x = k ln 2 + r. The rounding error of r is kept out of the
// sums: r stands only in the polynomial of what follows 1 + r.
#pragma once

#include "onefold/detail/math/arithmetic.hpp"

namespace onefold::detail::math {
inline namespace ONEFOLD_LEVEL {

template <class T>
struct exp_constants;
template <>
struct exp_constants<float> {
  static constexpr float log2_e = 0x1.715476p0f, ln2_high = 0x1.62e4p-1f, ln2_low = 0x1.7f7d1cp-20f;
  static constexpr float rounding = 0x1.8p23f + 254;  // 2 * bias: see power_of_two
  static constexpr float exp_low = -104, exp_high = 89;
  static constexpr float exp2_low = -151, exp2_high = 129;
  static constexpr float expm1_low = -17.5f, expm1_shift = 0.085f, tanh_high = 9.1f;
  // ln 2 in two parts, the first of 12 bits.
  static constexpr float ln2 = 0x1.62e43p-1f, ln2_half = 0x1.62ep-1f, ln2_rest = 0x1.0bfbe8p-15f;
};
template <>
struct exp_constants<double> {
  static constexpr double log2_e = 0x1.71547652b82fep0, ln2_high = 0x1.62e42fefa38p-1, ln2_low = 0x1.ef35793c7673p-45;
  static constexpr double rounding = 0x1.8p52 + 2046;
  static constexpr double exp_low = -745.5, exp_high = 710;
  static constexpr double exp2_low = -1076, exp2_high = 1025;
  static constexpr double expm1_low = -37.6, expm1_shift = 0x1.5c01a39fbd688p-4, tanh_high = 19.15;
  static constexpr double ln2 = 0x1.62e42fefa39efp-1, ln2_half = 0x1.62e42f8p-1, ln2_rest = 0x1.be8e7bcd5e4f2p-27;
};

/// (e^r - 1 - r) / r^2 for |r| <= ln 2 / 2, to 2^-28 and 2^-56 of e^r.
template <class V>
ONEFOLD_INLINE constexpr V exp_tail(V r, V r2) {
  if constexpr (sizeof(value_of<V>) == 4)
    return polynomial(r, r2, 0.5f, 0x1.555468p-3f, 0x1.555302p-5f, 0x1.1256cep-7f, 0x1.6fec32p-10f);
  else
    return polynomial(r, r2, 0.5, 0x1.555555555555dp-3, 0x1.555555555556ep-5, 0x1.111111110e39ep-7,
                      0x1.6c16c16c080c6p-10, 0x1.a01a01b6ce04ep-13, 0x1.a01a01fbf2847p-16, 0x1.71dde80e1d461p-19,
                      0x1.27e40cc41d733p-22, 0x1.af799dc1d764cp-26, 0x1.20d0edac1a070p-29);
}

/// (e^r - 1 - r - r^2 / 2) / r^3 for -0.415 <= r / ln 2 <= 0.585, to 2^-29 and 2^-58 of e^r - 1.
template <class V>
ONEFOLD_INLINE constexpr V expm1_tail(V r, V r2) {
  if constexpr (sizeof(value_of<V>) == 4)
    return polynomial(r, r2, 0x1.55555ap-3f, 0x1.55551ep-5f, 0x1.11075ap-7f, 0x1.6cea42p-10f, 0x1.b58488p-13f);
  else
    return polynomial(r, r2, 0x1.5555555555555p-3, 0x1.55555555555c9p-5, 0x1.11111111117abp-7, 0x1.6c16c16bc8944p-10,
                      0x1.a01a019d4b93cp-13, 0x1.a01a03dff7f6fp-16, 0x1.71de392b5c2bcp-19, 0x1.27de06a40bdd1p-22,
                      0x1.aec464c63d5fcp-26, 0x1.2e8c3eddfa86ap-29);
}

/// (2^r - 1 - r ln 2) / r^2 for |r| <= 1/2, to 2^-28 and 2^-57 of 2^r.
template <class V>
ONEFOLD_INLINE constexpr V exp2_tail(V r, V r2) {
  if constexpr (sizeof(value_of<V>) == 4)
    return polynomial(r, r2, 0x1.ebfbdcp-3f, 0x1.c6af8ap-5f, 0x1.3b2e16p-7f, 0x1.5f027ap-10f, 0x1.414094p-13f);
  else
    return polynomial(r, r2, 0x1.ebfbdff82c5a1p-3, 0x1.c6b08d704a044p-5, 0x1.3b2ab6fba08b3p-7, 0x1.5d87fe78c402p-10,
                      0x1.4309130d855e4p-13, 0x1.ffcbfbc3972ecp-17, 0x1.62bfcaa43e013p-20, 0x1.b5265eaf31379p-24,
                      0x1.e6167184655e9p-28, 0x1.e7b0892a9e855p-32);
}

/// y 2^k, rounded once, where the low bits of `shifted` are k + 2 * bias. By two powers: one alone may be no number.
template <class V>
ONEFOLD_INLINE constexpr V scaled(V y, V shifted) {
  using U = unsigned_of<V>;
  constexpr int fraction = ieee_of<V>::fraction_bits;
  const U exponents = bits_as<U>(shifted);
  const U first = exponents >> 1;
  return times(times(y, bits_as<V>(first << fraction)), bits_as<V>((exponents - first) << fraction));
}

/// x = k ln 2 + r, and r = high - low, where high is exact.
template <class V>
struct reduced_argument {
  V shifted;  // k + constants::rounding: a sum that rounds to an integer, and whose low bits are k + 2 * bias
  V high, low, r;
  ONEFOLD_INLINE constexpr reduced_argument(V x, V shifted_k) : shifted(shifted_k), high(), low(), r() {
    using C = exp_constants<value_of<V>>;
    const V k = shifted - splat<V>(C::rounding);
    high = x - times(k, splat<V>(C::ln2_high));  // exact: ln2_high has few enough bits for any k
    low = times(k, splat<V>(C::ln2_low));
    r = high - low;
  }
};

template <class V>
ONEFOLD_INLINE constexpr V exp_of(V x) {
  using C = exp_constants<value_of<V>>;
  x = at_most(at_least(x, C::exp_low), C::exp_high);
  const reduced_argument<V> a(x, times(x, splat<V>(C::log2_e)) + splat<V>(C::rounding));
  const V r2 = times(a.r, a.r);
  const V y = splat<V>(1) + (a.high + (times(r2, exp_tail(a.r, r2)) - a.low));
  return canonical_nan(scaled(y, a.shifted));
}

/// e^x of f32 for -104 <= x <= 0; unspecified for other x and for NaN.
template <class V>
ONEFOLD_INLINE constexpr V exp_of_clamped(V x) {
  using U = unsigned_of<V>;
  using C = exp_constants<float>;
  const V rounding = splat<V>(0x1.8p23f + 26);
  const V shifted = fused(x, splat<V>(C::log2_e), rounding), k = shifted - rounding;
  const V r = fused(k, splat<V>(-C::ln2_low), fused(k, splat<V>(-C::ln2_high), x));
  // The coefficients of exp_tail, their last bits chosen by random search so that no result is more than 1 ulp off.
  const V tail = fused_polynomial(r, 0x1.000002p-1f, 0x1.55543ap-3f, 0x1.5551c6p-5f, 0x1.126ceep-7f, 0x1.6fd0a8p-10f);
  const V y = splat<V>(1) + fused(times(r, r), tail, r);
  // y 2^k, -150 <= k <= 0: y 2^(k + 26) is normal, so that only the last product rounds.
  return times(bits_as<V>(bits_as<U>(y) + (bits_as<U>(shifted) << 23)), splat<V>(0x1p-26f));
}

/// e^min(x, 0).
template <class V>
ONEFOLD_INLINE constexpr V exp_nonpositive_of(V x) {
  x = at_most(x, 0);
  if constexpr (sizeof(value_of<V>) == 4)
    return x == x ? exp_of_clamped(at_least(x, exp_constants<float>::exp_low)) : of_bits<V>(ieee_of<V>::nan);
  else
    return exp_of(x);
}

template <class V>
ONEFOLD_INLINE constexpr V exp2_of(V x) {
  using C = exp_constants<value_of<V>>;
  x = at_most(at_least(x, C::exp2_low), C::exp2_high);
  const V shifted = x + splat<V>(C::rounding);
  const V r = x - (shifted - splat<V>(C::rounding));  // exact
  const V upper = upper_half(r), r2 = times(r, r);
  // r ln 2 is y + rest, where y is exact.
  const V y = times(upper, splat<V>(C::ln2_half));
  const V rest = times(upper, splat<V>(C::ln2_rest)) + times(r - upper, splat<V>(C::ln2));
  return canonical_nan(scaled(splat<V>(1) + (y + (rest + times(r2, exp2_tail(r, r2)))), shifted));
}

/// e^x - 1 = 2^k (s + low), where |low| is small against |s|; for x above expm1_low.
///
/// Of 2^k (e^r - 2^-k): below 2^-digits nothing but the -1 is left of the result, so k need not be less.
template <class V>
struct expm1_parts {
  V shifted, s, low;
  ONEFOLD_INLINE constexpr explicit expm1_parts(V x) : shifted(), s(), low() {
    using U = unsigned_of<V>;
    using C = exp_constants<value_of<V>>;
    constexpr int fraction = ieee_of<V>::fraction_bits;
    constexpr auto bias = ieee_of<V>::bias;
    // k is 0 from log(3/4), where the result is -1/4, to log(3/2), where it is 1/2: beyond, an ulp of the result is as
    // large as one of s. The shift is log2(3/2) - 1/2 (of f32, whose arguments were all looked at, nearly).
    const V k = times(x, splat<V>(C::log2_e)) - splat<V>(C::expm1_shift);
    shifted = at_least(k + splat<V>(C::rounding), C::rounding - (fraction + 1));
    const reduced_argument<V> a(x, shifted);
    // 2^-k; for the largest k the bits are those of -infinity, and the power counts for nothing.
    const V power = at_least(bits_as<V>((splat<U>(3 * bias) - bits_as<U>(shifted)) << fraction), 0);
    const V r2 = times(a.r, a.r), one = splat<V>(1);
    const V c = one - power, c_error = (one - c) - power;
    s = c + a.high;  // |c| > |high|, or c is 0
    // The small terms first: near x = 0.4 each rounding counts.
    const V tail = times(times(a.r, r2), expm1_tail(a.r, r2)) - a.low;
    low = times(splat<V>(static_cast<value_of<V>>(0.5)), r2) + (((c - s) + a.high) + (c_error + tail));
  }
};

template <class V>
ONEFOLD_INLINE constexpr V expm1_of(V x) {
  using C = exp_constants<value_of<V>>;
  const expm1_parts<V> p(at_most(at_least(x, C::expm1_low), C::exp_high));
  return canonical_nan(with_sign_of(scaled(p.s + p.low, p.shifted), x));
}

/// -u / (2 + u), where u = expm1(-2 |x|): no cancellation, no overflow.
template <class V>
ONEFOLD_INLINE constexpr V tanh_of(V x) {
  using U = unsigned_of<V>;
  using C = exp_constants<value_of<V>>;
  constexpr int fraction = ieee_of<V>::fraction_bits;
  const V magnitude = at_most(with_sign_of(x, splat<V>(1)), C::tanh_high);
  const expm1_parts<V> p(times(magnitude, splat<V>(-2)));
  const V power = bits_as<V>((bits_as<U>(p.shifted) - splat<U>(ieee_of<V>::bias)) << fraction);
  // u = high + low, 2 + u = d + d_low.
  const V sum = p.s + p.low, two = splat<V>(2);
  const V high = times(sum, power), low = times((p.s - sum) + p.low, power);
  const V d = two + high, d_low = ((two - d) + high) + low;
  const V reciprocal = quotient(splat<V>(1), d);
  const V q = times(high, reciprocal);
  // The remainder high - q d, exactly: both factors are split (Dekker 1971).
  const V q_upper = upper_half(q), q_lower = q - q_upper, d_upper = upper_half(d), d_lower = d - d_upper;
  const V remainder = (((high - times(q_upper, d_upper)) - times(q_upper, d_lower)) - times(q_lower, d_upper)) -
                      times(q_lower, d_lower);
  const V y = q + times(reciprocal, remainder + (low - times(q, d_low)));
  return canonical_nan(with_sign_of(y, x));
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail::math
