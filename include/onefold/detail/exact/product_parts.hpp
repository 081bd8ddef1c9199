// Exact products of f64 as numbers of f64 that an exact sum takes: the rounded product and what rounding took away, or,
// where these are not numbers of f64, two halves in one of three bands of exponents, because f64 has half of the
// exponents that products have.
#pragma once

#include <cstdint>

#include "onefold/detail/exact/products.hpp"
#include "onefold/map_request.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Products of this size are the sum of two numbers of f64: of the rounded product, and of what rounding took away.
constexpr bool has_two_parts(double x, double y) {
  const double size = __builtin_fabs(x * y);
  return (size >= 0x1p-900 && size <= 0x1p1000) || x == 0 || y == 0;
}

/// The rounded product; NaN where the product is not the sum of two numbers of f64.
struct rounded_product {
  static constexpr known_function known = known_function::rounded_product;
  constexpr double operator()(double x, double y) const { return has_two_parts(x, y) ? x * y : __builtin_nan(""); }
};

/// What rounding took away from a product that is.
struct lost_product {
  static constexpr known_function known = known_function::lost_product;
#ifdef __CUDACC__  // on a device only what is constexpr can be called; clang does not take this for that
  constexpr
#endif
      double
      operator()(double x, double y) const {
    return __builtin_fma(x, y, -(x * y));
  }
};

/// A product of two finite numbers: (high 2^53 + low) 2^exponent, with both parts below 2^53.
struct split_product {
  double low, high;
  int exponent;  ///< from 2 -1074 to 2 971

  static constexpr int bits = format_of<double>::precision;

  static constexpr split_product of(const fields& f, const fields& g) {
    const auto size = [](std::int64_t s) { return static_cast<std::uint64_t>(s < 0 ? -s : s); };
    const uint128 product = static_cast<uint128>(size(f.significand)) * size(g.significand);
    const auto low = static_cast<std::uint64_t>(product) & ((std::uint64_t{1} << bits) - 1);
    const auto high = static_cast<std::uint64_t>(product >> bits);
    const double sign = f.negative != g.negative ? -1 : 1;
    return {sign * static_cast<double>(low), sign * static_cast<double>(high),
            f.shift + g.shift + 2 * format_of<double>::lowest};
  }
};

/// The bands: products in band b, scaled by 2^-shift, have two parts that are numbers of f64.
inline constexpr int product_bands = 3, middle_band = 1;
constexpr int shift_of_band(int band) { return (band - middle_band) * -format_of<double>::lowest; }
constexpr int band_of(int exponent) { return exponent < -1074 ? 0 : exponent < 918 ? middle_band : 2; }

/// Whether the product of two numbers is finite, and so has parts.
constexpr bool has_parts(const fields& f, const fields& g) { return !(f.infinite || f.nan || g.infinite || g.nan); }

/// A bit for the band that a product is in; none for zero. What is not finite is in the middle one.
struct band_of_product {
  static constexpr known_function known = known_function::band_of_product;
  constexpr std::uint8_t operator()(double x, double y) const {
    const fields f = fields::of(x), g = fields::of(y);
    if (!has_parts(f, g)) return 1 << middle_band;
    if (f.significand == 0 || g.significand == 0) return 0;
    return static_cast<std::uint8_t>(1 << band_of(split_product::of(f, g).exponent));
  }
};

/// A part of a product that is in a band, scaled; else zero. What is not finite is a high part of the middle band.
struct part_of_product {
  static constexpr known_function known = known_function::part_of_product;
  int band;
  bool high;
  constexpr double operator()(double x, double y) const {
    const fields f = fields::of(x), g = fields::of(y);
    if (!has_parts(f, g)) return high && band == middle_band ? x * y : 0;
    const split_product p = split_product::of(f, g);
    if (band_of(p.exponent) != band) return 0;
    const int exponent = p.exponent - shift_of_band(band);
    return high ? p.high * power_of_two(exponent + split_product::bits) : p.low * power_of_two(exponent);
  }
};

/// Adds the sum of one part of a band's products.
constexpr void add_scaled(product_accumulator& to, superaccumulator sum, int shift) {
  carry(sum);
  // Of a negative sum all limbs up to the highest would be there, which are beyond those of products.
  const bool negative = sum.limb[superaccumulator::limbs - 1] < 0;
  if (negative) {
    ONEFOLD_ROLLED
    for (std::int64_t& limb : sum.limb) limb = -limb;
    carry(sum);
  }
  ONEFOLD_ROLLED
  for (int i = 0; i < superaccumulator::limbs; ++i)
    if (sum.limb[i] != 0)
      deposit(to, negative ? -sum.limb[i] : sum.limb[i],
              32 * i + superaccumulator::low_bit + shift - product_accumulator::low_bit);
  to.special |= sum.special;
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
