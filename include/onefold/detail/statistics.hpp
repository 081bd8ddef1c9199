// What statistics are made of: functions of f64 numbers that the library computes, whatever the flags of the caller's
// file, computed elements that go through them, and formulas over the sums of those.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "onefold/detail/changed_elements.hpp"
#include "onefold/detail/vector_functions.hpp"
#include "onefold/map_reduce.hpp"

namespace onefold::detail {

/// A function of a number.
enum class number_function : std::uint8_t { itself, square, cube, fourth_power, logarithm, reciprocal };

/// x[i] = f(x[i]) for n numbers; the logarithm and the reciprocal of negative ones are NaN.
ONEFOLD_API void apply(number_function f, double* x, std::int64_t n) noexcept;

/// A statistic, and its formula over sums or means of n numbers each: geometric_mean over that of logarithms,
/// harmonic_mean over that of reciprocals, the others over the sums of the first to the fourth power (of skewness the
/// third) of distances from a number near the mean; difference is the first less the second. Those of two arrays are
/// over the sums of distances of both from numbers near their means, of the products of these distances, and for
/// correlation of their squares.
enum class statistic : std::uint8_t {
  difference,
  geometric_mean,
  harmonic_mean,
  skewness,
  sample_skewness,
  excess_kurtosis,
  sample_excess_kurtosis,
  covariance,
  sample_covariance,
  correlation,
};

/// The most sums of a formula.
inline constexpr int most_sums = 5;

/// to[i] = the statistic of the i-th of each of the sums, in f64 and rounded once, whatever the calling thread's
/// floating-point environment.
ONEFOLD_API void finish(statistic what, std::int64_t n, const std::span<const double> (&sums)[most_sums], double* to);
ONEFOLD_API void finish(statistic what, std::int64_t n, const std::span<const double> (&sums)[most_sums], float* to);

/// Whether sums of squares neither overflowed nor lost anything to numbers that are too small.
ONEFOLD_API bool are_in_range(std::span<const double> sums) noexcept;

/// The power of two that brings numbers, of which this is the largest magnitude, where their squares are in range; 1
/// if they are already, and where none does.
ONEFOLD_API double factor_into_range(double largest) noexcept;

inline namespace ONEFOLD_LEVEL {

/// An element as f64.
template <class Given>
constexpr double as_f64(const Given& given) {
  static_assert(element<Given>,
                "onefold: statistics are of numbers: of structs name a member, mapped(&order::price, orders), and of "
                "complex numbers take their parts, mapped(f, x)");
  if constexpr (element<Given>)
    return widened<double>(__builtin_bit_cast(canonical_t<Given>, given));
  else
    return 0;
}

/// The function whose value is the element, as f64.
struct f64_value {
  template <class Given>
  constexpr double operator()(const Given& x) const {
    return as_f64(x);
  }
};

/// Applies a function to a line of numbers; to the stand-ins of what is refused none.
struct applied_function {
  number_function f;

  void operator()(double* line, std::int64_t n) const { apply(f, line, n); }
  void operator()(float*, std::int64_t) const {}
};

/// Computed elements of type f64 that go through a function of the library's.
template <class M>
auto library_elements(number_function f, const M& elements) {
  return changed_elements(applied_function{f}, elements);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
