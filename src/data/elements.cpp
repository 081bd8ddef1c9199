// The formulas of the element-wise data sets.
#include "data/elements.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "data/elementary.hpp"

namespace onefold::data {

double uniform(const element& e) { return e.uniform(0); }

double normal(const element& e) {  // Box & Muller 1958
  return std::sqrt(-2 * log_of(1 - e.uniform(0))) * sine_of_turns(e.uniform(1) + 0.25);
}

double lognormal(const element& e) { return exp_of(2 * normal(e)); }

double small_terms(const element& e) {
  // In f64 a term is two thirds of an ulp of the first; f32 sums take 1, an eighth of it, for 1e-8 would not matter.
  // f16 ends at 65504.
  if (e.type.precision == 53) return e.i == 0 ? 1e8 : 1e-8;
  if (e.type.largest_exponent == 15) return e.i == 0 ? 6e4 : 0x1p-10;
  return e.i == 0 ? 1e8 : 1;
}

double harmonic(const element& e) { return 1 / static_cast<double>(e.i + 1); }

double alternating(const element& e) { return e.i % 2 == 0 ? harmonic(e) : -harmonic(e); }

double sine(const element& e) {
  constexpr std::int64_t periods = 10;
  return sine_of_turns(static_cast<double>(periods * e.i % e.n) / static_cast<double>(e.n));
}

double wide_exponents(const element& e) {
  // Room for the sum of all; f16 adds up in f32.
  const int room =
      e.type.largest_exponent == 15 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(e.n)));
  const int lowest = e.type.smallest_exponent + e.type.precision - 1;
  return e.sign(0) * std::ldexp(1 + e.uniform(1), e.integer(2, lowest, e.type.largest_exponent - 1 - room));
}

double subnormals(const element& e) {
  const double units = std::floor(std::ldexp(e.uniform(0), e.type.precision - 1));
  return e.sign(1) * std::ldexp(units, e.type.smallest_exponent);
}

double outlier(const element& e) {
  return e.i == e.n / 2 ? std::ldexp(1, std::min(e.type.accumulator_precision, e.type.largest_exponent)) : normal(e);
}

double all_equal(const element&) { return 0.1; }

}  // namespace onefold::data
