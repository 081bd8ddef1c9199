// A long integer rounded once to a floating-point type, or divided by a count and rounded: in integers only.
#pragma once

#include "onefold/detail/exact/superaccumulator.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// A number of type R and whether it differs from what it was rounded from.
template <class R>
struct rounded {
  R value;
  bool inexact;
};

/// R's bits as R.
template <class R>
ONEFOLD_INLINE constexpr R with_bits(typename format_of<R>::bits b) {
  return __builtin_bit_cast(R, b);
}

/// What the sum is if elements were not finite.
template <class R>
constexpr R special_value(std::uint32_t special) {
  using F = format_of<R>;
  using B = typename F::bits;
  const B infinity = static_cast<B>(B{F::exponent_mask} << F::fraction_bits);
  const B sign = static_cast<B>(B{1} << (8 * sizeof(B) - 1));
  if (special == positive_infinity) return with_bits<R>(infinity);
  if (special == negative_infinity) return with_bits<R>(static_cast<B>(infinity | sign));
  return with_bits<R>(static_cast<B>(infinity | B{1} << (F::fraction_bits - 1)));
}

/// The front of a number: +-(bits + tail) * 2^exponent, where the highest of the 64 bits is set unless the number is
/// zero, 0 <= tail < 1, and `more` says whether there is a tail.
struct front {
  std::uint64_t bits;
  int exponent;
  bool more, negative;
};

/// Shifts until the highest bit is set.
ONEFOLD_INLINE constexpr int normalize(std::uint64_t& x) {
  int shifted = 0;
  ONEFOLD_ROLLED
  for (int step = 32; step; step /= 2)
    if (!(x >> (64 - step))) {
      x <<= step;
      shifted += step;
    }
  return shifted;
}

/// To nearest, ties to even; zero is +0.
template <class R>
constexpr rounded<R> round_front(const front& x) {
  using F = format_of<R>;
  using B = typename F::bits;
  if (x.bits == 0) return {with_bits<R>(0), x.more};
  // The unit in the last place of the result is 2^unit.
  const int wanted = x.exponent + 64 - F::precision, unit = wanted < F::lowest ? F::lowest : wanted;
  const int shift = unit - x.exponent;
  std::uint64_t q = shift < 64 ? x.bits >> shift : 0;
  const bool half = shift <= 64 && (x.bits >> (shift - 1) & 1);
  const bool rest = x.more || shift > 64 || (x.bits & ((std::uint64_t{1} << (shift - 1)) - 1));
  q += half && (rest || (q & 1));
  // The hidden bit counts as one in the exponent's field, and so does a carry out of the significand.
  const std::uint64_t infinity = std::uint64_t{F::exponent_mask} << F::fraction_bits;
  const std::uint64_t field = (static_cast<std::uint64_t>(unit - F::lowest) << F::fraction_bits) + q;
  const std::uint64_t sign = std::uint64_t{x.negative} << (8 * sizeof(B) - 1);  // NOLINT: 0 << 15 is 0
  if (field >= infinity) return {with_bits<R>(static_cast<B>(infinity | sign)), true};
  return {with_bits<R>(static_cast<B>(field | sign)), half || rest};
}

/// A long integer as sign and magnitude: digits of 32 bits, nothing but zeros outside [low, top).
template <int Limbs, int LowBit>
struct magnitude {
  std::uint32_t digit[Limbs + 1];
  int low = 0, top = Limbs;
  bool negative = false;

  constexpr explicit magnitude(const long_integer<Limbs, LowBit>& a) : digit() {
    ONEFOLD_ROLLED
    while (low < Limbs && a.limb[low] == 0) ++low;
    ONEFOLD_ROLLED
    while (top > low && a.limb[top - 1] == 0) --top;
    std::int64_t over = 0;
    int i = low;
    ONEFOLD_ROLLED
    for (; i < top || (over != 0 && over != -1); ++i) {
      const std::int64_t v = (i < Limbs ? a.limb[i] : 0) + over;
      digit[i] = static_cast<std::uint32_t>(v);
      over = v >> 32;
    }
    top = i;
    negative = over != 0;
    std::uint32_t borrow = 1;  // -x is ~x + 1
    ONEFOLD_ROLLED
    for (i = low; negative && i < top; ++i) {
      digit[i] = ~digit[i] + borrow;
      borrow = borrow && digit[i] == 0;
    }
    if (negative && borrow) digit[top++] = 1;  // -2^(32 top)
    ONEFOLD_ROLLED
    while (top > low && digit[top - 1] == 0) --top;
    ONEFOLD_ROLLED
    while (low < top && digit[low] == 0) ++low;
  }
  constexpr std::uint32_t at(int i) const { return i >= low && i < top ? digit[i] : 0; }
};

template <int Limbs, int LowBit>
constexpr front front_of(const magnitude<Limbs, LowBit>& m) {
  const std::uint32_t third = m.at(m.top - 3);
  std::uint64_t bits = std::uint64_t{m.at(m.top - 1)} << 32 | m.at(m.top - 2);
  const int shift = bits ? normalize(bits) : 0;  // at most 31: the highest digit is not zero
  bits |= shift ? third >> (32 - shift) : 0;
  const bool more = static_cast<std::uint32_t>(std::uint64_t{third} << shift) != 0 || m.low < m.top - 3;
  return {bits, LowBit + 32 * (m.top - 2) - shift, more, m.negative};
}

/// (remainder * 2^32 + digit) / n, which is below 2^32 where remainder < n; leaves the next remainder.
ONEFOLD_INLINE constexpr std::uint32_t divide_step(std::uint64_t& remainder, std::uint32_t digit, std::uint64_t n) {
  if (n <= low_word) {
    const std::uint64_t x = remainder << 32 | digit, q = x / n;
    remainder = x - q * n;
    return static_cast<std::uint32_t>(q);
  }
  __extension__ using wide = unsigned __int128;
  const wide x = static_cast<wide>(remainder) << 32 | digit;
  const auto q = static_cast<std::uint64_t>(x / n);
  remainder = static_cast<std::uint64_t>(x) - q * n;
  return static_cast<std::uint32_t>(q);
}

/// The front of the quotient by n > 0: as many digits as it takes, the remainder is its tail.
template <int Limbs, int LowBit>
constexpr front quotient_front(const magnitude<Limbs, LowBit>& m, std::uint64_t n) {
  std::uint64_t remainder = 0, bits = 0;
  int i = m.top;
  ONEFOLD_ROLLED
  while (bits >> 32 == 0 && (i > m.low || remainder != 0)) {
    --i;
    bits = bits << 32 | divide_step(remainder, m.at(i), n);
  }
  if (bits == 0) return {0, 0, false, false};
  int exponent = LowBit + 32 * i;
  if (const int shift = normalize(bits)) {
    const std::uint32_t next = divide_step(remainder, m.at(--i), n);
    const std::uint64_t lower = std::uint64_t{next} << shift;
    bits |= lower >> 32;
    exponent -= shift;
    return {bits, exponent, static_cast<std::uint32_t>(lower) != 0 || remainder != 0 || m.low < i, m.negative};
  }
  return {bits, exponent, remainder != 0 || m.low < i, m.negative};
}

/// The sum, rounded once.
template <class R, int Limbs, int LowBit>
constexpr rounded<R> round(const long_integer<Limbs, LowBit>& a) {
  if (a.special) return {special_value<R>(a.special), false};
  return round_front<R>(front_of(magnitude<Limbs, LowBit>(a)));
}

/// The sum divided by n > 0, rounded once.
template <class R, int Limbs, int LowBit>
constexpr rounded<R> round_mean(const long_integer<Limbs, LowBit>& a, std::int64_t n) {
  if (a.special) return {special_value<R>(a.special), false};
  return round_front<R>(quotient_front(magnitude<Limbs, LowBit>(a), static_cast<std::uint64_t>(n)));
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
