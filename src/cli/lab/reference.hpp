// What is exactly known of an array: the oracle of the laboratory.
#pragma once

#include <cstdint>
#include <span>

#include "input/tally.hpp"
#include "onefold/dynamic.hpp"
#include "onefold/exact.hpp"

namespace onefold::cli {

/// The exact sum or mean of an array, and how far a result is from it.
class exact_reference {
 public:
  /// Adds up the elements of type `type`, and their absolute values; counts them in `counted`.
  exact_reference(dtype type, std::span<const std::byte> elements, bool mean, tally& counted);

  /// The exact value, rounded to f64.
  double value() const;
  /// The same rounded once to a result's type; to f64 where that is an integer type.
  scalar rounded(dtype result) const;
  /// The sum of |x|, rounded to f64.
  double magnitude() const { return magnitude_.value<double>(); }
  /// The sum of |x| over |sum of x|: how many times its data's relative error that of the sum can be. Infinite for a
  /// sum of 0; 1 where all elements are 0; NaN where one is not finite.
  double condition() const;
  /// The exact value minus a result, rounded once to f64 (for a mean twice). Where either is not finite: 0 if the
  /// result is what rounding the exact value gives, else infinite.
  double error_of(const scalar& result) const;

 private:
  double mean_of(const exact_sum<double>& s) const;

  std::int64_t count_;  ///< of elements; 64-bit integers are pushed in two parts
  bool mean_;
  exact_sum<double> sum_, magnitude_;
};

/// The distance between neighbouring numbers of a result's type at x: the unit of errors in ulps.
double ulp_at(double x, dtype type);

/// A result's number as f64: rounded for 64-bit integers beyond 2^53.
double number_of(const scalar& s);

}  // namespace onefold::cli
