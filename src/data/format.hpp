// What the data sets must know of a floating-point element type.
#pragma once

#include "onefold/catalog/facts.hpp"
#include "onefold/detail/format.hpp"

namespace onefold::data {

/// A binary floating-point format, as a value.
struct format {
  int precision;              ///< bits of a significand, the leading one included
  int largest_exponent;       ///< 2^largest_exponent is the largest power of two
  int smallest_exponent;      ///< 2^smallest_exponent is the smallest subnormal number
  int accumulator_precision;  ///< of the type that a native sum of the elements is kept in
};

template <class T>
inline constexpr format format_of{detail::format_of<T>::precision, detail::format_of<T>::bias,
                                  detail::format_of<T>::lowest,
                                  detail::format_of<typename detail::accumulator<T>::type>::precision};

/// The types that the data sets have.
using floating_types = type_list<float, double, f16, bf16>;

}  // namespace onefold::data
