// The layout of the floating-point types, for code that reads and writes their bits.
#pragma once

#include <cstdint>

#include "onefold/detail/level.hpp"
#include "onefold/types.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// A type's unsigned integer of the same size, bits of its significand (with the hidden one), exponent of its smallest
/// subnormal number, and exponent bias.
template <class R>
struct format_of;
template <>
struct format_of<double> {
  using bits = std::uint64_t;
  static constexpr int precision = 53, lowest = -1074, bias = 1023;
};
template <>
struct format_of<float> {
  using bits = std::uint32_t;
  static constexpr int precision = 24, lowest = -149, bias = 127;
};
template <>
struct format_of<f16> {
  using bits = std::uint16_t;
  static constexpr int precision = 11, lowest = -24, bias = 15;
};
template <>
struct format_of<bf16> {
  using bits = std::uint16_t;
  static constexpr int precision = 8, lowest = -133, bias = 127;
};

/// The fields of a number: it is significand * 2^(format_of<T>::lowest + shift), unless it is not finite.
struct fields {
  std::int64_t significand;
  int shift;
  bool infinite, nan, negative;

  template <class T>
  static ONEFOLD_INLINE constexpr fields of(T x) {
    using F = format_of<T>;
    const std::uint64_t b = __builtin_bit_cast(typename F::bits, x);
    constexpr int fraction_bits = F::precision - 1;
    constexpr std::uint64_t hidden = std::uint64_t{1} << fraction_bits;
    const int exponent = static_cast<int>(b >> fraction_bits) & (2 * F::bias + 1);
    const std::uint64_t fraction = b & (hidden - 1);
    const bool negative = b >> (8 * sizeof(T) - 1);
    if (exponent == 2 * F::bias + 1) return {0, 0, fraction == 0, fraction != 0, negative};
    const auto size = static_cast<std::int64_t>(exponent ? fraction | hidden : fraction);
    return {negative ? -size : size, exponent ? exponent - 1 : 0, false, false, negative};
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
