// The layout of the floating-point types, for code that reads and writes their bits.
#pragma once

#include <cstdint>

#include "onefold/detail/level.hpp"
#include "onefold/types.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// A binary floating-point format of IEEE 754: all that is said of a type's bits is said here.
template <class Bits, int Precision, int Bias>
struct binary_format {
  using bits = Bits;                                              ///< the unsigned integer of the same size
  static constexpr int precision = Precision;                     ///< bits of a significand, the hidden one included
  static constexpr int bias = Bias;                               ///< of exponents; the largest power of two is 2^bias
  static constexpr int fraction_bits = precision - 1;             ///< the lowest bits
  static constexpr int exponent_mask = 2 * bias + 1;              ///< the field above them: of infinities and NaN this
  static constexpr int smallest_normal = 1 - bias;                ///< exponent of the smallest normal number
  static constexpr int lowest = smallest_normal - fraction_bits;  ///< exponent of the smallest subnormal number
};

/// The format of a floating-point type.
template <class R>
struct format_of;
template <>
struct format_of<double> : binary_format<std::uint64_t, 53, 1023> {};
template <>
struct format_of<float> : binary_format<std::uint32_t, 24, 127> {};
template <>
struct format_of<f16> : binary_format<std::uint16_t, 11, 15> {};
template <>
struct format_of<bf16> : binary_format<std::uint16_t, 8, 127> {};

/// 2^exponent, which is a number of f64.
constexpr double power_of_two(int exponent) {
  using F = format_of<double>;
  return __builtin_bit_cast(double, exponent < F::smallest_normal
                                        ? std::uint64_t{1} << (exponent - F::lowest)
                                        : static_cast<std::uint64_t>(exponent + F::bias) << F::fraction_bits);
}

/// The fields of a number: it is significand * 2^(format_of<T>::lowest + shift), unless it is not finite.
struct fields {
  std::int64_t significand;
  int shift;
  bool infinite, nan, negative;

  template <class T>
  static ONEFOLD_INLINE constexpr fields of(T x) {
    using F = format_of<T>;
    const std::uint64_t b = __builtin_bit_cast(typename F::bits, x);
    constexpr std::uint64_t hidden = std::uint64_t{1} << F::fraction_bits;
    const int exponent = static_cast<int>(b >> F::fraction_bits) & F::exponent_mask;
    const std::uint64_t fraction = b & (hidden - 1);
    const bool negative = b >> (8 * sizeof(T) - 1);
    if (exponent == F::exponent_mask) return {0, 0, fraction == 0, fraction != 0, negative};
    const auto size = static_cast<std::int64_t>(exponent ? fraction | hidden : fraction);
    return {negative ? -size : size, exponent ? exponent - 1 : 0, false, false, negative};
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
