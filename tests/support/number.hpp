// Numbers of the element types as doubles and back, written from the formats: independent of the library.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "onefold/types.hpp"

namespace support {

/// A binary floating-point format: value = significand * 2^exponent.
struct format {
  int exponent_bits;
  int fraction_bits;
  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr int largest_exponent() const { return bias(); }                       ///< of the leading bit
  constexpr int smallest_exponent() const { return 1 - bias() - fraction_bits; }  ///< of the last subnormal bit
  constexpr int precision() const { return fraction_bits + 1; }
};

template <class T>
inline constexpr format format_of{};
template <>
inline constexpr format format_of<onefold::f16>{5, 10};
template <>
inline constexpr format format_of<onefold::bf16>{8, 7};
template <>
inline constexpr format format_of<float>{8, 23};
template <>
inline constexpr format format_of<double>{11, 52};

template <class T>
inline constexpr bool is_float = format_of<T>.exponent_bits != 0;

/// The value of a 16-bit pattern.
inline double decode(std::uint16_t bits, format f) {
  const int exponent = (bits >> f.fraction_bits) & ((1 << f.exponent_bits) - 1);
  const int fraction = bits & ((1 << f.fraction_bits) - 1);
  const double sign = (bits >> 15) ? -1.0 : 1.0;
  if (exponent == (1 << f.exponent_bits) - 1)
    return fraction ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
  const int significand = fraction + (exponent ? 1 << f.fraction_bits : 0);
  return sign * std::ldexp(significand, (exponent ? exponent : 1) - f.bias() - f.fraction_bits);
}

/// x rounded once to nearest-even in a 16-bit format; NaN becomes the canonical quiet NaN.
inline std::uint16_t encode(double x, format f) {
  const int all_ones = (1 << f.exponent_bits) - 1;
  if (std::isnan(x)) return static_cast<std::uint16_t>((all_ones << f.fraction_bits) | (1 << (f.fraction_bits - 1)));
  const int sign = std::signbit(x) ? 0x8000 : 0;
  const double m = std::fabs(x);
  if (m == 0) return static_cast<std::uint16_t>(sign);
  if (std::isinf(m)) return static_cast<std::uint16_t>(sign | (all_ones << f.fraction_bits));
  const int lowest = 1 - f.bias();
  const int exponent = std::ilogb(m) < lowest ? lowest : std::ilogb(m);
  // In units of the last place the pattern of a subnormal or normal number grows by one a unit.
  const double units = std::nearbyint(std::ldexp(m, f.fraction_bits - exponent));
  const double pattern = units + std::ldexp(exponent - lowest, f.fraction_bits);
  const double infinity = std::ldexp(all_ones, f.fraction_bits);
  return static_cast<std::uint16_t>(sign | static_cast<int>(pattern < infinity ? pattern : infinity));
}

/// The element's value: a double for floating-point types, the integer itself otherwise. Always exact.
template <class T>
auto value_of(T x) {
  if constexpr (std::is_same_v<T, onefold::f16> || std::is_same_v<T, onefold::bf16>)
    return decode(x.bits, format_of<T>);
  else if constexpr (is_float<T>)
    return static_cast<double>(x);
  else
    return x;
}

/// The element nearest to x; integers by truncation, and the type's ends beyond them.
template <class T>
T nearest(double x) {
  if constexpr (std::is_same_v<T, onefold::f16> || std::is_same_v<T, onefold::bf16>) {
    return T::from_bits(encode(x, format_of<T>));
  } else if constexpr (is_float<T>) {
    return static_cast<T>(x);
  } else {
    if (x <= static_cast<double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
    if (x >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
    return static_cast<T>(x);
  }
}

/// The one NaN that results hold: quiet, positive, payload zero.
template <class T>
T canonical_nan() {
  if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<double>(std::uint64_t{0x7ff8000000000000});
  else if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<float>(std::uint32_t{0x7fc00000});
  else
    return T::from_bits(std::is_same_v<T, onefold::f16> ? 0x7e00 : 0x7fc0);
}

}  // namespace support
