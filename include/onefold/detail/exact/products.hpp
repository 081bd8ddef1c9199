// Exact sums of products, and their square roots: integers only, as the sums.
#pragma once

#include "onefold/detail/exact/rounding.hpp"
#include "onefold/detail/exact/superaccumulator.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

__extension__ using int128 = __int128;
__extension__ using uint128 = unsigned __int128;

/// Adds x * y exactly.
template <class T>
constexpr void add_product(product_accumulator& a, T x, T y) {
  const fields f = fields::of(x), g = fields::of(y);
  const bool negative = f.negative != g.negative;
  if (f.infinite || f.nan || g.infinite || g.nan) {
    const bool none = f.nan || g.nan || (!f.infinite && f.significand == 0) || (!g.infinite && g.significand == 0);
    a.special |= none ? not_a_number : negative ? negative_infinity : positive_infinity;
    return;
  }
  const auto size = [](std::int64_t s) { return static_cast<std::uint64_t>(s < 0 ? -s : s); };
  const uint128 product = static_cast<uint128>(size(f.significand)) * size(g.significand);  // 106 bits at most
  const int bit = f.shift + g.shift + 2 * format_of<T>::lowest - product_accumulator::low_bit;
  constexpr int part = 62;
  const auto low = static_cast<std::int64_t>(product & ((std::uint64_t{1} << part) - 1));
  const auto high = static_cast<std::int64_t>(product >> part);
  deposit(a, negative ? -low : low, bit);
  deposit(a, negative ? -high : high, bit + part);
}

/// An integer of 64 bits times a number, rounded once: as IEEE multiplication rounds it, were the integer a number of
/// R.
template <class R, class I>
constexpr R round_product(I factor, R x) {
  using B = typename format_of<R>::bits;
  const fields f = fields::of(x);
  const bool negative = f.negative != (factor < 0);
  if (f.nan || (f.infinite && factor == 0)) return special_value<R>(not_a_number);
  if (f.infinite) return special_value<R>(negative ? negative_infinity : positive_infinity);
  const auto size = [](auto s) { return s < 0 ? -static_cast<std::uint64_t>(s) : static_cast<std::uint64_t>(s); };
  const uint128 product = static_cast<uint128>(size(factor)) * size(f.significand);
  if (product == 0) return with_bits<R>(static_cast<B>(B{negative} << (8 * sizeof(B) - 1)));
  auto bits = static_cast<std::uint64_t>(product >> 64), rest = static_cast<std::uint64_t>(product);
  int exponent = format_of<R>::lowest + f.shift + 64;
  if (bits == 0) {
    bits = rest;
    rest = 0;
    exponent -= 64;
  }
  if (const int shift = normalize(bits)) {
    bits |= rest >> (64 - shift);
    rest <<= shift;
    exponent -= shift;
  }
  return round_front<R>({bits, exponent, rest != 0, negative}).value;
}

/// Adds a sum of numbers.
constexpr void add(product_accumulator& a, const superaccumulator& sum) {
  ONEFOLD_ROLLED
  for (int i = 0; i < superaccumulator::limbs; ++i)
    if (sum.limb[i] != 0) deposit(a, sum.limb[i], 32 * i + superaccumulator::low_bit - product_accumulator::low_bit);
  a.special |= sum.special;
}

/// The integer part of the square root of x, and whether it is less than the root.
constexpr std::uint64_t root(uint128 x, bool& more) {
  // Digit by digit, from the highest: the largest q with q^2 <= x.
  uint128 rest = x, q = 0;
  ONEFOLD_ROLLED
  for (int i = 126; i >= 0; i -= 2) {
    const uint128 trial = q + (static_cast<uint128>(1) << i);
    q >>= 1;
    if (rest >= trial) {
      rest -= trial;
      q += static_cast<uint128>(1) << i;
    }
  }
  more = rest != 0;
  return static_cast<std::uint64_t>(q);
}

/// The front of the square root of a magnitude: its 127 or 128 highest bits decide, the others are its tail.
template <int Limbs, int LowBit>
constexpr front root_front(const magnitude<Limbs, LowBit>& m) {
  uint128 x = 0;
  for (int i = 1; i <= 4; ++i) x = x << 32 | m.at(m.top - i);
  if (x == 0) return {0, 0, false, false};
  int exponent = LowBit + 32 * (m.top - 4);
  std::uint32_t next = m.at(m.top - 5);
  ONEFOLD_ROLLED
  while (x >> 126 == 0 || (exponent & 1) != 0) {
    if (x >> 127 != 0) {  // an odd exponent: one bit less
      next = next >> 1 | static_cast<std::uint32_t>(x & 1) << 31 | (next & 1);
      x >>= 1;
      ++exponent;
    } else {
      x = x << 1 | next >> 31;
      next <<= 1;
      --exponent;
    }
  }
  bool more = false;
  const std::uint64_t q = root(x, more);
  return {q, exponent / 2, more || next != 0 || m.low < m.top - 5, false};
}

/// The square root of a sum that is not negative, rounded once.
template <class R, int Limbs, int LowBit>
constexpr rounded<R> round_root(const long_integer<Limbs, LowBit>& a) {
  if (a.special) return {special_value<R>(a.special), false};
  return round_front<R>(root_front(magnitude<Limbs, LowBit>(a)));
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
