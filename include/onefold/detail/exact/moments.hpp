// The exact sums of elements and of their squares, and what is made of both: variances as exact fractions,
// (n sum(x^2) - sum(x)^2) / (n d), with d = n or n - 1, rounded once.
#pragma once

#include "onefold/detail/exact/products.hpp"

namespace onefold::detail {

/// The exact sum of elements, and of their squares. Plain memory without a level's name, as its parts.
struct power_sums {
  superaccumulator sum;
  product_accumulator squares;
};

/// A variance, cut off 256 bits below those of a sum of products. Nothing that is cut off can decide a rounding: a
/// variance is a multiple of 2^-2148 / (n d), and a number halfway between two results, or its square, one of 2^-2150,
/// so that they are equal or differ by 2^-2150 / (n d) > 2^-2276.
using quotient = long_integer<148, product_accumulator::low_bit - 256>;

inline namespace ONEFOLD_LEVEL {

/// Adds x * 2^(LowBit + bit), x an integer of 128 bits.
template <int Limbs, int LowBit, class Wide>
constexpr void deposit_wide(long_integer<Limbs, LowBit>& a, Wide x, int bit) {
  for (int i = 0; i < 3; ++i) deposit(a, static_cast<std::int64_t>(x >> (32 * i) & low_word), bit + 32 * i);
  deposit(a, static_cast<std::int64_t>(x >> 96), bit + 96);
}

/// Adds x and its square.
template <class T>
constexpr void add_powers(power_sums& s, T x) {
  if constexpr (is_integer<T>) {
    const auto wide = static_cast<int128>(x);
    deposit_wide(s.sum, wide, -superaccumulator::low_bit);
    const auto size = static_cast<uint128>(wide < 0 ? -wide : wide);
    deposit_wide(s.squares, size * size, -product_accumulator::low_bit);
  } else {
    add(s.sum, x);
    add_product(s.squares, x, x);
  }
}

/// Adds others' sums.
[[gnu::noinline]] constexpr void merge(power_sums& a, const power_sums& b) {
  merge(a.sum, b.sum);
  merge(a.squares, b.squares);
}

/// to = n x, in the digits from `first` on.
template <int Limbs, int LowBit>
constexpr void multiply(quotient& to, int first, const magnitude<Limbs, LowBit>& x, std::uint64_t n) {
  uint128 over = 0;
  ONEFOLD_ROLLED
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
  ONEFOLD_ROLLED
  for (int k = 0; k < quotient::limbs - first; ++k) {
    ONEFOLD_ROLLED
    for (int i = x.low > k - x.top ? x.low : k - x.top + 1; i < x.top && i <= k - x.low; ++i)
      over += static_cast<std::uint64_t>(x.digit[i]) * x.digit[k - i];
    const std::int64_t v = to.limb[first + k] - static_cast<std::int64_t>(over & low_word) + borrow;
    to.limb[first + k] = static_cast<std::int64_t>(static_cast<std::uint64_t>(v) & low_word);
    borrow = v >> 32;
    over >>= 32;
  }
}

/// Divides by n and forgets the remainder.
constexpr void divide(quotient& x, std::uint64_t n) {
  std::uint64_t remainder = 0;
  ONEFOLD_ROLLED
  for (int i = quotient::limbs - 1; i >= 0; --i)
    if (remainder != 0 || x.limb[i] != 0) x.limb[i] = divide_step(remainder, static_cast<std::uint32_t>(x.limb[i]), n);
}

/// Whether elements were not finite.
constexpr bool has_no_variance(const power_sums& s) { return s.sum.special || s.squares.special; }

/// Sets q, which is 0, to the variance of n > 0 elements with this sum of squares and this sum; `divisor` is n or n -
/// 1, not 0.
constexpr void set_variance(quotient& q,
                            const magnitude<product_accumulator::limbs, product_accumulator::low_bit>& squares,
                            const magnitude<superaccumulator::limbs, superaccumulator::low_bit>& sum, std::int64_t n,
                            std::int64_t divisor) {
  constexpr int first = (product_accumulator::low_bit - quotient::low_bit) / 32;
  multiply(q, first, squares, static_cast<std::uint64_t>(n));
  subtract_square(q, first, sum);
  divide(q, static_cast<std::uint64_t>(n));
  divide(q, static_cast<std::uint64_t>(divisor));
}

/// The variance, or NaN.
constexpr quotient variance_of(const power_sums& s, std::int64_t n, std::int64_t divisor) {
  quotient q{};
  if (has_no_variance(s))
    q.special = not_a_number;
  else
    set_variance(q, magnitude<product_accumulator::limbs, product_accumulator::low_bit>(s.squares),
                 magnitude<superaccumulator::limbs, superaccumulator::low_bit>(s.sum), n, divisor);
  return q;
}

/// A number before its rounding, or what was not finite.
struct unrounded {
  front value;
  std::uint32_t special;
  template <class R>
  constexpr R rounded_to() const {
    return special ? special_value<R>(special) : round_front<R>(value).value;
  }
};

/// A sum that is not negative, or its square root. Not inlined: many operations and result types share it.
template <int Limbs, int LowBit>
[[gnu::noinline]] constexpr unrounded unrounded_of(const long_integer<Limbs, LowBit>& a, bool root) {
  const magnitude<Limbs, LowBit> m(a);
  return {root ? root_front(m) : front_of(m), a.special};
}
/// A variance, or its root: a standard deviation. A divisor of 0 makes it NaN.
[[gnu::noinline]] constexpr unrounded unrounded_variance(const power_sums& s, std::int64_t n, std::int64_t divisor,
                                                         bool root) {
  if (divisor == 0) return {{}, not_a_number};
  return unrounded_of(variance_of(s, n, divisor), root);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
