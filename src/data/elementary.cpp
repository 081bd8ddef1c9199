// Series after a reduction of the argument (Muller, Elementary Functions, chapters 3 and 11).
#include "data/elementary.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace onefold::data {
namespace {

/// Coefficients of a series by a rule, made at compile time.
template <int Count, class Rule>
constexpr std::array<double, Count> coefficients(Rule rule) {
  std::array<double, Count> c{};
  for (int k = 0; k < Count; ++k) c[static_cast<std::size_t>(k)] = rule(k);
  return c;
}

constexpr double factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

/// The sum of c[k] y^k, by Horner's rule.
template <std::size_t Count>
double polynomial(const std::array<double, Count>& c, double y) {
  double p = c[Count - 1];
  for (std::size_t k = Count - 1; k > 0; --k) p = p * y + c[k - 1];
  return p;
}

constexpr double sign_of_term(int k) { return k % 2 == 0 ? 1 : -1; }

}  // namespace

double log_of(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);  // from 1/2 up
  if (m <= std::numbers::sqrt2 / 2) {
    m *= 2;
    --exponent;
  }
  // log m = 2 artanh z, |z| < 0.172.
  static constexpr auto artanh = coefficients<11>([](int k) { return 1.0 / (2 * k + 1); });
  const double z = (m - 1) / (m + 1);
  return exponent * std::numbers::ln2 + 2 * z * polynomial(artanh, z * z);
}

double exp_of(double x) {
  static constexpr auto taylor = coefficients<14>([](int k) { return 1 / factorial(k); });
  constexpr double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;  // the high part has 32 bits
  const double k = std::floor(x / std::numbers::ln2 + 0.5);
  const double r = (x - k * ln2_high) - k * ln2_low;  // |r| < 0.35
  return std::ldexp(polynomial(taylor, r), static_cast<int>(k));
}

double sine_of_turns(double x) {
  static constexpr auto sine = coefficients<9>([](int k) { return sign_of_term(k) / factorial(2 * k + 1); });
  static constexpr auto cosine = coefficients<9>([](int k) { return sign_of_term(k) / factorial(2 * k); });
  const double quarter = std::floor(4 * x + 0.5);
  const double angle = (x - quarter / 4) * (2 * std::numbers::pi);  // the difference is exact, at most 1/8
  const double y = angle * angle;
  const int turned = static_cast<int>(quarter) & 3;
  const double value = turned % 2 == 0 ? angle * polynomial(sine, y) : polynomial(cosine, y);
  return turned < 2 ? value : -value;
}

}  // namespace onefold::data
