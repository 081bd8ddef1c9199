// The data sets whose elements are made one by one, each from its place alone.
#pragma once

#include <cstdint>

#include "data/format.hpp"
#include "data/random.hpp"

namespace onefold::data {

/// One element to be made: the i-th of n in a format.
struct element {
  const random_numbers& random;
  std::int64_t i, n;
  format type;

  /// The element's own random numbers: k from 0 to 3.
  double uniform(unsigned k) const { return random.uniform(place(k)); }
  double sign(unsigned k) const { return (random.bits(place(k)) & 1) ? 1.0 : -1.0; }
  int integer(unsigned k, int low, int high) const { return random.integer(place(k), low, high); }

 private:
  std::uint64_t place(unsigned k) const { return 4 * static_cast<std::uint64_t>(i) + k; }
};

/// Each gives an element's value before it is rounded to the type.
double uniform(const element& e);
double normal(const element& e);
double lognormal(const element& e);
double small_terms(const element& e);
double harmonic(const element& e);
double alternating(const element& e);
double sine(const element& e);
double wide_exponents(const element& e);
double subnormals(const element& e);
double outlier(const element& e);
double all_equal(const element& e);

}  // namespace onefold::data
