// The arithmetic of statistics: functions of elements, and formulas over their sums.
#include "onefold/detail/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cpu.hpp"
#include "onefold/math.hpp"
#include "run/root_of_product.hpp"
#include "run/widest.hpp"

namespace onefold::detail {
namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

template <class Function>
void replace_each(double* x, std::int64_t n, Function f) {
  run_widest([=]() __attribute__((always_inline)) {
    for (std::int64_t i = 0; i < n; ++i) x[i] = f(x[i]);
  });
}

/// The mean powers of distances from the mean, from those from a number near it: `off` is the mean's own distance.
struct central_moments {
  double m2, m3, m4;

  central_moments(double n, double s1, double s2, double s3, double s4) {
    const double off = s1 / n, a2 = s2 / n, a3 = s3 / n, a4 = s4 / n;
    m2 = a2 - off * off;
    m3 = a3 - off * (3 * a2 - 2 * off * off);
    m4 = a4 - off * (4 * a3 - off * (6 * a2 - 3 * off * off));
  }
  // Not by powers of m2, which overflow and vanish earlier.
  double skewness() const { return m3 / m2 / std::sqrt(m2); }
  double excess_kurtosis() const { return m4 / m2 / m2 - 3; }
};

/// Joanes & Gill 1998, "Comparing measures of sample skewness and kurtosis": g1 to G1 and g2 to G2.
double unbiased_skewness(double g1, double n) { return n < 3 ? undefined : g1 * std::sqrt(n * (n - 1)) / (n - 2); }
double unbiased_kurtosis(double g2, double n) {
  return n < 4 ? undefined : (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * g2 + 6);
}

/// The sums of products of distances from the means of two arrays, from those of distances from numbers near them.
struct joint_moments {
  double xy, xx, yy;

  joint_moments(double n, double x, double y, double products, double x_squares, double y_squares) {
    xy = products - x * (y / n);
    xx = x_squares - x * (x / n);
    yy = y_squares - y * (y / n);
  }
  double correlation() const {
    if (!(xx > 0) || !(yy > 0)) return undefined;  // all elements are equal, but for rounding
    if (std::isinf(xx) || std::isinf(yy)) return undefined;
    const double c = xy / root_of_product(xx, yy);
    return c > 1 ? 1 : c < -1 ? -1 : c;
  }
};

double formula_of(statistic what, double n, double a, double b, double c, double d, double e) {
  switch (what) {
    case statistic::difference:
      return a - b;
    case statistic::geometric_mean:
      return onefold::exp(a);
    case statistic::harmonic_mean:
      return 1 / a;
    case statistic::skewness:
      return central_moments(n, a, b, c, 0).skewness();
    case statistic::sample_skewness:
      return unbiased_skewness(central_moments(n, a, b, c, 0).skewness(), n);
    case statistic::excess_kurtosis:
      return central_moments(n, a, b, c, d).excess_kurtosis();
    case statistic::sample_excess_kurtosis:
      return unbiased_kurtosis(central_moments(n, a, b, c, d).excess_kurtosis(), n);
    case statistic::covariance:
      return joint_moments(n, a, b, c, d, e).xy / n;
    case statistic::sample_covariance:
      return joint_moments(n, a, b, c, d, e).xy / (n - 1);
    case statistic::correlation:
      return joint_moments(n, a, b, c, d, e).correlation();
  }
  return undefined;
}

template <class R>
void write_statistic(statistic what, std::int64_t n, const std::span<const double> (&sums)[most_sums], R* to) {
  const float_environment ieee;
  const auto number = [&](int k, std::size_t i) { return sums[k].empty() ? 0 : sums[k][i]; };
  for (std::size_t i = 0; i < sums[0].size(); ++i) {
    const double x =
        formula_of(what, static_cast<double>(n), number(0, i), number(1, i), number(2, i), number(3, i), number(4, i));
    to[i] = static_cast<R>(std::isnan(x) ? __builtin_nan("") : x);
  }
}

}  // namespace

void apply(number_function f, double* x, std::int64_t n) noexcept {
  switch (f) {
    case number_function::itself:
      return;
    case number_function::square:
      return replace_each(x, n, [](double y) { return y * y; });
    case number_function::cube:
      return replace_each(x, n, [](double y) { return y * y * y; });
    case number_function::fourth_power:
      return replace_each(x, n, [](double y) { return (y * y) * (y * y); });
    case number_function::logarithm:
      return replace_each(x, n, [](double y) { return onefold::log(y); });
    case number_function::reciprocal:
      // Zero is added so that the reciprocal of -0 is +infinity: beside that of +0, -infinity would make the mean NaN.
      return replace_each(x, n, [](double y) { return y < 0 ? undefined : 1 / (y + 0.0); });
  }
}

// Between these bounds lost squares, of at most 2^-1075 each, and 2^63 squares together are less than a rounding away,
// also for numbers whose distances from their mean are only a rounding of them.
bool are_in_range(std::span<const double> sums) noexcept {
  return std::ranges::all_of(sums, [](double s) { return s >= 0x1p-900 && s <= 0x1p1000; });
}

double factor_into_range(double largest) noexcept {
  if (!(largest > 0) || std::isinf(largest) || (largest >= 0x1p-390 && largest <= 0x1p460)) return 1;
  return std::ldexp(1.0, std::clamp(-std::ilogb(largest), -1000, 1000));
}

void finish(statistic what, std::int64_t n, const std::span<const double> (&sums)[most_sums], double* to) {
  write_statistic(what, n, sums, to);
}
void finish(statistic what, std::int64_t n, const std::span<const double> (&sums)[most_sums], float* to) {
  write_statistic(what, n, sums, to);
}

}  // namespace onefold::detail
