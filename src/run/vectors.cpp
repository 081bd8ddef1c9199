// What the verbs of vectors do with their sums.
#include <algorithm>
#include <cmath>
#include <limits>

#include "cpu.hpp"
#include "onefold/complex_vectors.hpp"
#include "onefold/detail/vector_functions.hpp"
#include "onefold/error.hpp"
#include "onefold/math.hpp"
#include "onefold/vector_norm.hpp"
#include "run/root_of_product.hpp"

namespace onefold::detail {
namespace {

/// NaN as the one that results have.
double canonical(double x) { return std::isnan(x) ? __builtin_nan("") : x; }

double cosine(double xy, double xx, double yy) {
  if (!std::isfinite(xy)) return __builtin_nan("");
  if (xx == 0 || yy == 0) return 0;  // squares may vanish where products do not
  if (!std::isfinite(xx) || !std::isfinite(yy)) return __builtin_nan("");
  return std::clamp(xy / root_of_product(xx, yy), -1.0, 1.0);
}

template <class R>
void write_cosines(std::span<const double> xy, std::span<const double> xx, std::span<const double> yy, R* to) {
  const float_environment ieee;
  for (std::size_t i = 0; i < xy.size(); ++i) to[i] = static_cast<R>(cosine(xy[i], xx[i], yy[i]));
}

template <class R>
void write_quotients(std::span<const double> sums, std::span<const double> by, R* to) {
  const float_environment ieee;
  for (std::size_t i = 0; i < sums.size(); ++i) to[i] = static_cast<R>(canonical(sums[i] / by[i]));
}

/// m s^(1/p), where the root may be beyond f64.
double scaled_root(double m, double s, double p) {
  const double exponent = onefold::log2(s) / p;
  if (exponent < 1000) return m * onefold::exp2(exponent);
  const double part = onefold::exp2(exponent / 4);
  return m * part * part * part * part;
}

template <class R>
void write_roots(std::span<const double> largest, std::span<const double> sums, double p, R* to) {
  const float_environment ieee;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double m = largest[i];
    const bool itself = m == 0 || !std::isfinite(m) || std::isinf(p);
    to[i] = static_cast<R>(itself ? canonical(m) : scaled_root(m, sums[i], p));
  }
}

}  // namespace

double modulus(double x, double y) noexcept {
  const double a = std::fabs(x), b = std::fabs(y);
  if (std::isinf(a) || std::isinf(b)) return std::numeric_limits<double>::infinity();
  // Squares of what is between stay normal numbers, or do not count.
  const double largest = a > b ? a : b, scale = largest > 0x1p500 ? 0x1p-600 : largest < 0x1p-400 ? 0x1p600 : 1;
  const double p = a * scale, q = b * scale;
  return std::sqrt(p * p + q * q) / scale;
}

void cosines(std::span<const double> xy, std::span<const double> xx, std::span<const double> yy, double* to) {
  write_cosines(xy, xx, yy, to);
}
void cosines(std::span<const double> xy, std::span<const double> xx, std::span<const double> yy, float* to) {
  write_cosines(xy, xx, yy, to);
}

void quotients(std::span<const double> sums, std::span<const double> by, double* to) { write_quotients(sums, by, to); }
void quotients(std::span<const double> sums, std::span<const double> by, float* to) { write_quotients(sums, by, to); }

void scaled_roots(std::span<const double> largest, std::span<const double> sums, double p, double* to) {
  write_roots(largest, sums, p, to);
}
void scaled_roots(std::span<const double> largest, std::span<const double> sums, double p, float* to) {
  write_roots(largest, sums, p, to);
}

void check_norm_power(double p) {
  if (!(p > 0)) throw error(error_code::invalid_argument, "vector_norm takes p > 0, or infinity");
}

}  // namespace onefold::detail
