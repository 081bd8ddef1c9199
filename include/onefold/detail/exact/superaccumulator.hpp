// The superaccumulator: a sum of floating-point numbers as one long integer, without any rounding.
//
// Kulisch's idea in the form of Neal (2015, "Fast exact summation using small and large superaccumulators"): signed
// 64-bit limbs 32 bits apart, so that a deposit touches three limbs and carries wait for 2^30 deposits. Everything is
// integer arithmetic: no rounding mode, no flushing of subnormals, the same text on host and device.
#pragma once

#include <cstdint>

#include "onefold/detail/format.hpp"
#include "onefold/detail/level.hpp"

namespace onefold::detail {

/// The elements that are not finite, as bits of superaccumulator::special.
enum special : std::uint32_t { positive_infinity = 1, negative_infinity = 2, not_a_number = 4 };

/// The value sum of limb[i] * 2^(LowBit + 32 i). Zero-initialized it is the empty sum. Plain memory without a level's
/// name: it crosses the border between the library and its users.
template <int Limbs, int LowBit>
struct long_integer {
  static constexpr int limbs = Limbs;
  static constexpr int low_bit = LowBit;  ///< the exponent of bit 0
  std::int64_t limb[Limbs];               ///< |limb| < 2^32 (deposits + 1)
  std::uint32_t deposits;                 ///< since the last carry
  std::uint32_t special;                  ///< what else was added
};

/// For sums: bit 0 is 2^-1074, the smallest f64; 70 limbs hold 2^64 of the largest, and a sign.
using superaccumulator = long_integer<70, -1074>;
/// For sums of products of two f64.
using product_accumulator = long_integer<136, -2148>;

inline namespace ONEFOLD_LEVEL {

inline constexpr std::uint32_t most_deposits = 1u << 30;
inline constexpr std::uint64_t low_word = 0xffffffffu;

/// Moves what limbs have beyond 32 bits into the next: afterwards all but the highest are in [0, 2^32).
template <int Limbs, int LowBit>
constexpr void carry(long_integer<Limbs, LowBit>& a) {
  std::int64_t over = 0;
  ONEFOLD_ROLLED
  for (int i = 0; i < Limbs - 1; ++i) {
    const std::int64_t v = a.limb[i] + over;
    a.limb[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(v) & low_word);
    over = v >> 32;
  }
  a.limb[Limbs - 1] += over;
  a.deposits = 0;
}

/// Adds value * 2^(LowBit + bit). `value` is any signed integer; bit >= 0, and bit + 64 is below the highest limb.
template <int Limbs, int LowBit>
ONEFOLD_INLINE constexpr void deposit(long_integer<Limbs, LowBit>& a, std::int64_t value, int bit) {
  if (a.deposits == most_deposits) carry(a);
  ++a.deposits;
  const int i = bit >> 5, shift = bit & 31;
  const std::uint64_t low = static_cast<std::uint64_t>(value) << shift;
  a.limb[i] += static_cast<std::int64_t>(low & low_word);
  a.limb[i + 1] += static_cast<std::int64_t>(low >> 32);
  a.limb[i + 2] += shift ? value >> (64 - shift) : value >> 63;
}

/// Adds x exactly.
template <class T>
ONEFOLD_INLINE constexpr void add(superaccumulator& a, T x) {
  const fields f = fields::of(x);
  if (f.infinite || f.nan) a.special |= f.nan ? not_a_number : f.negative ? negative_infinity : positive_infinity;
  deposit(a, f.significand, f.shift + (format_of<T>::lowest - superaccumulator::low_bit));
}

/// Adds another sum: in any order and grouping the value is the same.
template <int Limbs, int LowBit>
constexpr void merge(long_integer<Limbs, LowBit>& a, const long_integer<Limbs, LowBit>& b) {
  if (a.deposits + b.deposits + 1 > most_deposits) {
    carry(a);
    if (b.deposits == most_deposits) {
      auto carried = b;
      carry(carried);
      return merge(a, carried);
    }
  }
  ONEFOLD_ROLLED
  for (int i = 0; i < Limbs; ++i) a.limb[i] += b.limb[i];
  a.deposits += b.deposits + 1;
  a.special |= b.special;
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
