// Variances as exact fractions: (n sum(x^2) - sum(x)^2) / (n d), with d = n or n - 1, rounded once.
#pragma once

#include "onefold/detail/exact/products.hpp"

namespace onefold::detail {

/// A variance, cut off 256 bits below those of a sum of products. Nothing that is cut off can decide a rounding: a
/// variance is a multiple of 2^-2148 / (n d), and a number halfway between two results, or its square, one of 2^-2150,
/// so that they are equal or differ by 2^-2150 / (n d) > 2^-2276.
using quotient = long_integer<148, product_accumulator::low_bit - 256>;

inline namespace ONEFOLD_LEVEL {

/// to = n x, in the digits from `first` on.
template <int Limbs, int LowBit>
constexpr void multiply(quotient& to, int first, const magnitude<Limbs, LowBit>& x, std::uint64_t n) {
  uint128 over = 0;
  for (int i = 0; i < quotient::limbs - first; ++i) {
    over += static_cast<uint128>(n) * x.at(i);
    to.limb[first + i] = static_cast<std::int64_t>(over & low_word);
    over >>= 32;
  }
}

/// to -= x^2, which is not larger.
template <int Limbs, int LowBit>
constexpr void subtract_square(quotient& to, int first, const magnitude<Limbs, LowBit>& x) {
  uint128 over = 0;
  std::int64_t borrow = 0;
  for (int k = 0; k < quotient::limbs - first; ++k) {
    for (int i = x.low; i < x.top && i <= k; ++i) over += static_cast<std::uint64_t>(x.digit[i]) * x.at(k - i);
    const std::int64_t v = to.limb[first + k] - static_cast<std::int64_t>(over & low_word) + borrow;
    to.limb[first + k] = static_cast<std::int64_t>(static_cast<std::uint64_t>(v) & low_word);
    borrow = v >> 32;
    over >>= 32;
  }
}

/// Divides by n and forgets the remainder.
constexpr void divide(quotient& x, std::uint64_t n) {
  std::uint64_t remainder = 0;
  for (int i = quotient::limbs - 1; i >= 0; --i)
    x.limb[i] = divide_step(remainder, static_cast<std::uint32_t>(x.limb[i]), n);
}

/// The variance of n elements with these sums of them and of their squares; `divisor` is n or n - 1, not 0.
constexpr quotient variance_of(const superaccumulator& sum, const product_accumulator& squares, std::int64_t n,
                               std::int64_t divisor) {
  quotient q{};
  if (sum.special || squares.special) {
    q.special = not_a_number;
    return q;
  }
  constexpr int first = (product_accumulator::low_bit - quotient::low_bit) / 32;
  multiply(q, first, magnitude<product_accumulator::limbs, product_accumulator::low_bit>(squares),
           static_cast<std::uint64_t>(n));
  subtract_square(q, first, magnitude<superaccumulator::limbs, superaccumulator::low_bit>(sum));
  divide(q, static_cast<std::uint64_t>(n));
  divide(q, static_cast<std::uint64_t>(divisor));
  return q;
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
