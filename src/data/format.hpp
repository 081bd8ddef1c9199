// What the data sets must know of a floating-point element type.
#pragma once

#include "onefold/types.hpp"

namespace onefold::data {

/// A binary floating-point format.
struct format {
  int precision;              ///< bits of a significand, the leading one included
  int largest_exponent;       ///< 2^largest_exponent is the largest power of two
  int accumulator_precision;  ///< of the type that a native sum of the elements is kept in

  /// 2^smallest_exponent is the smallest subnormal number.
  constexpr int smallest_exponent() const { return 2 - largest_exponent - precision; }
};

template <class T>
inline constexpr format format_of{};
template <>
inline constexpr format format_of<float>{24, 127, 24};
template <>
inline constexpr format format_of<double>{53, 1023, 53};
template <>
inline constexpr format format_of<f16>{11, 15, 24};
template <>
inline constexpr format format_of<bf16>{8, 127, 24};

/// The types that the data sets have.
using floating_types = type_list<float, double, f16, bf16>;

}  // namespace onefold::data
