// What is exactly known of an array: the oracle of the laboratory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "input/progress_counter.hpp"
#include "onefold/dynamic.hpp"

namespace onefold::cli {

/// The exact result of an operation over an array, how far a result is from it, and how far it may be.
class exact_reference {
 public:
  virtual ~exact_reference() = default;

  /// Adds the next elements of the array, and counts them in `counted`.
  virtual void push(std::span<const std::byte> elements, progress_counter& counted) = 0;

  /// The exact value, rounded to f64.
  virtual double value() const = 0;
  /// The same rounded once to a result's type; to f64 where that is an integer type.
  virtual scalar rounded(dtype result) const = 0;
  /// What errors are in proportion to: the sum of |x|, or of the squares; rounded to f64.
  virtual double magnitude() const = 0;
  /// How many times its data's relative error that of the value can be (docs/accuracy-lab.md). Infinite for a value of
  /// 0 that is not 0 by each element; NaN where an element is not finite.
  virtual double condition() const = 0;
  /// The most that a result is off at an accuracy, as docs/accuracy.md promises.
  virtual double bound(accuracy a) const = 0;

  /// The exact value minus a result, rounded once to f64 (for a mean twice, for a root three times). Where either is
  /// not finite: 0 if the result is what rounding the exact value gives, else infinite.
  double error_of(const scalar& result) const;

 private:
  /// The same for a result that is finite, as is the exact value.
  virtual double finite_error_of(const scalar& result) const = 0;
};

/// The names of the operations that there is a reference for.
std::span<const std::string_view> referenced_operations();

/// That of an operation over no elements yet.
std::unique_ptr<exact_reference> reference_of(int operation, dtype type);

/// The distance between neighboring numbers of a result's type at x: the unit of errors in ulps.
double ulp_at(double x, dtype type);

/// A result's number as f64: rounded for 64-bit integers beyond 2^53.
double number_of(const scalar& s);

/// A floating-point number as a result.
scalar scalar_of(float x);
scalar scalar_of(double x);

}  // namespace onefold::cli
