// The number types of states: what an accuracy mode is made of. docs/accuracy.md has the error bounds.
//
// Each has: from(x), add(number, x), merge(number, number) and, for one number (not a pack), value(), all of it
// as two f64, and mean<R>(n). V is float, double or a pack of them. `exact` is not a number type: folds/exact.hpp.
#pragma once

#include <cstdint>

#include "onefold/detail/pack.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// s + e == a + b exactly, s = fl(a + b). Knuth, TAOCP 2, 4.2.2, Theorem B. Without overflow.
template <class V>
struct two_sum {
  V s, e;
  ONEFOLD_INLINE constexpr two_sum(V a, V b) : s(a + b), e() {
    const V t = minus(s, a);
    e = (a - minus(s, t)) + minus(b, t);
  }
};

/// As two_sum, for |a| >= |b| or a == 0. Dekker 1971.
template <class V>
struct fast_two_sum {
  V s, e;
  ONEFOLD_INLINE constexpr fast_two_sum(V a, V b) : s(a + b), e(b - minus(s, a)) {}
};

ONEFOLD_INLINE constexpr bool is_nan(double x) { return x != x; }
ONEFOLD_INLINE constexpr bool is_finite(double x) { return x - x == 0; }

/// A floating-point number as f64; f16 and bf16 convert to f32 only.
template <class R>
ONEFOLD_INLINE constexpr double as_double(R x) {
  if constexpr (is_small_float<R>)
    return static_cast<float>(x);
  else
    return x;
}

/// x rounded once to R: NaN becomes the canonical quiet NaN.
template <class R>
ONEFOLD_INLINE constexpr R round_to(double x) {
  if constexpr (__is_same(R, double)) {
    return is_nan(x) ? __builtin_bit_cast(double, std::uint64_t{0x7ff8000000000000}) : x;
  } else if constexpr (__is_same(R, float)) {
    const float f = static_cast<float>(x);  // looked at instead of x, so that loops over results are vectorized
    return f == f ? f : __builtin_bit_cast(float, std::uint32_t{0x7fc00000});
  } else {
    // To binary32 by rounding to odd: the second rounding, to 16 bits, then acts on the exact value
    // (Boldo & Melquiond 2008: two more bits than the target suffice).
    float f = static_cast<float>(x);
    if (is_finite(f) && static_cast<double>(f) != x) {
      std::uint32_t b = __builtin_bit_cast(std::uint32_t, f);
      const bool rounded_away = (static_cast<double>(f) > x) == (x > 0);
      b = (rounded_away ? b - 1 : b) | 1u;
      f = __builtin_bit_cast(float, b);
    }
    return R(f);
  }
}

/// hi + lo rounded once to R, where |lo| <= ulp(hi) / 2.
template <class R>
ONEFOLD_INLINE constexpr R round_to(double hi, double lo) {
  if constexpr (!__is_same(R, double)) {
    if (is_finite(hi) && hi != 0 && lo != 0) {  // round hi + lo to odd first, as above
      std::uint64_t b = __builtin_bit_cast(std::uint64_t, hi);
      if ((b & 1u) == 0) b += (lo > 0) == (hi > 0) ? 1u : ~std::uint64_t{0};
      hi = __builtin_bit_cast(double, b);
    }
  }
  return round_to<R>(hi);
}

/// (hi + lo) / n rounded once to R up to the error of one double division.
template <class R>
ONEFOLD_INLINE constexpr R round_quotient(double hi, double lo, std::int64_t n) {
  const double d = static_cast<double>(n);
  double q = hi / d;
  if (is_finite(q) && hi != 0) {
    // The remainder hi - q d, exactly, without an fma: split both factors (Dekker 1971).
    const auto upper = [](double x) {
      return __builtin_bit_cast(double, __builtin_bit_cast(std::uint64_t, x) & ~((std::uint64_t{1} << 27) - 1));
    };
    const double qh = upper(q), ql = q - qh, dh = upper(d), dl = d - dh;
    const double remainder = (((hi - qh * dh) - qh * dl) - ql * dh) - ql * dl;
    const double correction = (remainder + lo) / d;
    if (is_finite(correction)) {
      const fast_two_sum<double> r(q, correction);
      return round_to<R>(r.s, r.e);
    }
  }
  return round_to<R>(q);
}

/// A pack of numbers as a pack of R, f32 or f64, each rounded once; NaN becomes the canonical quiet NaN.
template <class R, class V>
ONEFOLD_INLINE constexpr pack<R, width_of<V>> round_pack(V x) {
  using P = pack<R, width_of<V>>;
  const P r = convert<P>(x);
  return r == r ? r : splat<P>(round_to<R>(static_cast<double>(__builtin_nanf(""))));
}

/// A zero that changes no number it is added to, not even the sign of another zero.
template <class V>
inline constexpr V neutral = splat<V>(static_cast<value_of<V>>(-0.0));

/// All of a number as hi + lo, |lo| <= ulp(hi) / 2, with a neutral zero for a lo that is none or no longer counts. An
/// initial value joins it here, in twice f64's precision, before the one rounding to the result type.
struct two_doubles {
  double hi, lo = neutral<double>;
  constexpr two_doubles plus(double x) const {
    const two_sum<double> t(hi, x);
    const double e = t.e + lo;
    if (!is_finite(t.s) || e == 0) return {t.s};
    const fast_two_sum<double> r(t.s, e);
    return {r.s, r.e};
  }
  template <class R>
  constexpr R round() const {
    return round_to<R>(hi, lo);
  }
};

/// `native` and, over double, `wide`: the value itself. Identity -0.0, the neutral element of IEEE addition.
template <class V>
struct plain {
  V s;
  static ONEFOLD_INLINE constexpr plain identity() { return {neutral<V>}; }
  static ONEFOLD_INLINE constexpr plain from(V x) { return {x}; }
  static ONEFOLD_INLINE constexpr plain add(plain a, V x) { return {a.s + x}; }
  static ONEFOLD_INLINE constexpr plain merge(plain a, plain b) { return {a.s + b.s}; }
  constexpr two_doubles value() const { return {static_cast<double>(s)}; }
  /// value(), rounded to V's own precision.
  ONEFOLD_INLINE constexpr V rounded() const { return s; }
  template <class R>
  constexpr R mean(std::int64_t n) const {
    return round_to<R>((static_cast<double>(s) + 0.0) / static_cast<double>(n));
  }
};

/// `kahan`: value s + c, where c gathers the rounding errors of s (Neumaier 1974, with a branch-free TwoSum).
/// Once s is infinite or NaN, c is NaN and no longer counts.
template <class V>
struct compensated {
  V s, c;
  static ONEFOLD_INLINE constexpr compensated identity() { return {neutral<V>, V{}}; }
  static ONEFOLD_INLINE constexpr compensated from(V x) { return {x, V{}}; }
  static ONEFOLD_INLINE constexpr compensated add(compensated a, V x) {
    const two_sum<V> t(a.s, x);
    return {t.s, a.c + t.e};
  }
  static ONEFOLD_INLINE constexpr compensated merge(compensated a, compensated b) {
    const two_sum<V> t(a.s, b.s);
    return {t.s, plus(a.c, b.c) + t.e};
  }
  ONEFOLD_INLINE constexpr V rounded() const {
    const V both = s + c;
    return both - both == V{} ? both : s;
  }
  constexpr two_doubles value() const {
    if (!is_finite(s) || !is_finite(c)) return {static_cast<double>(s)};
    return two_doubles{static_cast<double>(s)}.plus(c == 0 ? neutral<double> : static_cast<double>(c));
  }
  template <class R>
  constexpr R mean(std::int64_t n) const {
    const two_doubles v = value();
    return round_quotient<R>(v.hi + 0.0, v.lo, n);
  }
};

/// `wide` for f64: hi + lo, |lo| <= ulp(hi) / 2 but within a strip. Merging: Joldes, Muller & Popescu 2017, algorithm 6
/// (AccurateDWPlusDW, error 3u^2 + O(u^3)). An element's error is only gathered in lo, as in
/// `compensated`, and joined at the end of the strip: 7 operations an element instead of 12, and an error of the
/// strip's 8 additions of 27u^2 instead of 24u^2.
template <class V>
struct double_double {
  V hi, lo;
  static ONEFOLD_INLINE constexpr double_double identity() { return {neutral<V>, V{}}; }
  static ONEFOLD_INLINE constexpr double_double from(V x) { return {x, V{}}; }
  static ONEFOLD_INLINE constexpr double_double add(double_double a, V x) {
    const two_sum<V> t(a.hi, x);
    return {t.s, a.lo + t.e};
  }
  static ONEFOLD_INLINE constexpr double_double merge(double_double a, double_double b) {
    const two_sum<V> s(a.hi, b.hi), t(a.lo, b.lo);
    const fast_two_sum<V> v(s.s, number(s.e + t.s));
    return renormalized(v.s, plus(t.e, v.e));
  }
  /// The end of a strip: the gathered errors join the number, so that the identity is neutral to it to the bit.
  static ONEFOLD_INLINE constexpr double_double end_strip(double_double a) { return renormalized(a.hi, a.lo); }
  ONEFOLD_INLINE constexpr V rounded() const { return hi; }
  constexpr two_doubles value() const { return {hi, number(lo)}; }
  template <class R>
  constexpr R mean(std::int64_t n) const {
    return round_quotient<R>(hi + 0.0, number(lo), n);
  }
  /// hi + lo as a normalized pair. An infinite hi has a NaN beside it, which must not reach the sum.
  static ONEFOLD_INLINE constexpr double_double renormalized(V hi, V lo) {
    const fast_two_sum<V> r(hi, number(lo));
    return {r.s, r.e};
  }

 private:
  /// x, but in place of NaN and of a zero the zero that leaves a zero sum its sign.
  static ONEFOLD_INLINE constexpr V number(V x) { return ((x < V{}) | (x > V{})) ? x : neutral<V>; }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
