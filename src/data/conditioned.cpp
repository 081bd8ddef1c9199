// Ill-conditioned sums, made from what is known exactly of the sum so far.
//
// Ogita, Rump & Oishi 2005, algorithm 6.1, for sums: the first half of the elements has random exponents over
// log2(condition) bits; in the second half the exponents fall, and each element takes the exact sum so far to where it
// should be, but for a random number of its own exponent. Then all are shuffled. Two things are added, for condition
// numbers near 1 and for a sharp result: the signs are drawn so that the sum is expected where it should be, and the
// last element has no random part.
#include "data/conditioned.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "onefold/detail/numbers.hpp"
#include "onefold/error.hpp"
#include "onefold/exact.hpp"

namespace onefold::data {
namespace {

/// The bits between the largest and the smallest element: log2 of the condition number, rounded up.
int span_of(double condition) {
  int exponent = 0;
  return std::frexp(condition, &exponent) == 0.5 ? exponent - 1 : exponent;
}

/// The exponents that elements may have: the correcting ones must fit the type (they are about the root of n times the
/// largest), the sum of all its accumulator; and the smallest ones need a few bits above the type's end.
struct exponents {
  int low, high;
};
exponents allowed(format type, std::int64_t n) {
  const int width = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n)));
  const int most = type.largest_exponent == 15 ? 127 : type.largest_exponent;
  return {type.smallest_exponent + 4, std::min(type.largest_exponent - width / 2 - 4, most - width - 1)};
}

/// Elements that n elements with this many bits between them need: each correction gains a precision less two bits.
std::int64_t fewest(format type, int bits) { return bits == 0 ? 0 : 2 * (2 + bits / (type.precision - 2)); }

}  // namespace

void check_condition(format type, std::int64_t n, double condition) {
  if (!(condition >= 1) || !std::isfinite(condition))
    throw error(error_code::invalid_argument, "a condition number is at least 1");
  const int bits = span_of(condition);
  const auto [low, high] = allowed(type, n);
  if (bits > high - low)
    throw error(error_code::invalid_argument, "the condition number of " + std::to_string(n) +
                                                  " such elements is at most 2^" + std::to_string(high - low) +
                                                  ": the type has too few exponents for more");
  if (n < fewest(type, bits))
    throw error(error_code::invalid_argument,
                "this condition number needs " + std::to_string(fewest(type, bits)) + " elements or more");
}

template <class T>
void fill_conditioned(T* x, std::int64_t n, const random_numbers& random, double condition) {
  const int bits = span_of(condition);
  const auto [lowest, highest] = allowed(format_of<T>, n);
  const int low = std::clamp(-bits / 2, lowest, highest - bits);
  const double positive = (1 + 1 / condition) / 2;
  const std::int64_t falling = n / 2;

  exact_sum<double> sum;
  double magnitude = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const auto place = 3 * static_cast<std::uint64_t>(i);
    const std::int64_t left = n - 1 - i;
    const bool corrects = left < falling && condition > 1;
    int exponent = random.integer(place, 0, bits);
    if (i < 2) exponent = i == 0 ? bits : 0;
    if (left < falling) exponent = static_cast<int>(bits * left / std::max<std::int64_t>(1, falling - 1));
    double value = std::ldexp(1 + random.uniform(place + 1), low + exponent);
    if (random.uniform(place + 2) >= positive) value = -value;
    if (corrects) value = (left == 0 ? 0 : value) + (magnitude / condition - sum.value<double>());
    x[i] = detail::round_to<T>(value);
    const double rounded = detail::as_double(x[i]);
    sum.push(rounded);
    magnitude += std::fabs(rounded);
  }
  shuffle(x, n, random_numbers(random.bits(3 * static_cast<std::uint64_t>(n))));
}

template void fill_conditioned(float*, std::int64_t, const random_numbers&, double);
template void fill_conditioned(double*, std::int64_t, const random_numbers&, double);
template void fill_conditioned(f16*, std::int64_t, const random_numbers&, double);
template void fill_conditioned(bf16*, std::int64_t, const random_numbers&, double);

}  // namespace onefold::data
