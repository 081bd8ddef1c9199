// The exact value of a rounded operation and how far docs/accuracy.md lets a result be from it.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

#include "onefold/catalog.hpp"
#include "support/big.hpp"

namespace support {

/// What the oracles need of an array, exactly.
struct exact_sums {
  std::int64_t n = 0;
  big sum, absolute, squares;

  template <class T>
  explicit exact_sums(std::span<const T> x) : n(static_cast<std::int64_t>(x.size())) {
    for (const T y : x) {
      const big b = big::from(y);
      sum += b;
      absolute += abs(b);
      squares += b * b;
    }
  }
  big count() const { return big::from(n); }
  big mean() const { return sum / count(); }
  /// The sum of squared deviations from the mean.
  big m2() const { return squares - sum * sum / count(); }
};

using real = long double;  // bounds: its range holds the square of any double

/// The unit roundoff of the number type that a result or a state is kept in.
template <class R>
constexpr real unit = static_cast<real>(std::numeric_limits<R>::epsilon()) / 2;
/// k roundings.
constexpr real gamma(real k, real u) { return k * u / (1 - k * u); }

/// The depth of the canonical order: a strip, the strips of a page, its lanes, the tree.
inline real depth(std::int64_t n, std::int64_t bytes) {
  std::int64_t lanes = 1;
  int h = 8 + 2;
  for (; 2 * lanes * bytes <= 512; lanes *= 2) ++h;
  for (std::int64_t pages = (n + 32 * lanes - 1) / (32 * lanes); pages > 1; pages = (pages + 1) / 2) ++h;
  return h;
}

/// The bound of the additions alone, for a sum of A = sum of |x| in h additions; without the final rounding.
template <class T, class R>
real additions(onefold::accuracy mode, real h, real a) {
  using onefold::accuracy;
  const real u = unit<R>;
  if (mode == accuracy::exact) return 0;
  if (mode == accuracy::native) return gamma(h, u) * a;
  if (mode == accuracy::kahan) return (1 + u) * gamma(h, u) * gamma(2 * h, u) * a;
  if constexpr (std::is_same_v<R, double>) return (1 + u) * 3 * (h + 1) * u * u * (1 + 8 * h * u) * a;
  return (1 + u) * gamma(h, unit<double>) * a;
}

/// A value and how far a result may be from it; judge(operation, accuracy, elements, sums, outliers) finds it.
struct judgment {
  big exact;
  real bound;
};

/// Half the smallest subnormal number: what rounding there can add to every bound.
template <class R>
constexpr real smallest = static_cast<real>(std::numeric_limits<R>::denorm_min()) / 2;

template <class T, class R>
judgment judge(onefold::op::sum, onefold::accuracy mode, std::span<const T>, const exact_sums& e, bool) {
  const real s = std::fabs(e.sum.approximate());
  const real last = mode == onefold::accuracy::native ? 0 : unit<R> * s + smallest<R>;
  return {e.sum, last + additions<T, R>(mode, depth(e.n, sizeof(T)), e.absolute.approximate())};
}

template <class T, class R>
judgment judge(onefold::op::mean, onefold::accuracy mode, std::span<const T>, const exact_sums& e, bool) {
  const real a = e.absolute.approximate(), n = static_cast<real>(e.n);
  // One more rounding by the division; 64-bit integers are rounded to f64 before they are added.
  const bool converts = std::is_integral_v<T> && sizeof(T) == 8 && mode != onefold::accuracy::exact;
  const real converted = converts ? unit<double> * a : 0;
  const real total = additions<T, R>(mode, depth(e.n, sizeof(T)) + 1, a) * (1 + 8 * unit<R>)+converted;
  return {e.mean(), total / n + unit<R> * (1 + 8 * unit<R>)*std::fabs(e.mean().approximate()) + 2 * smallest<R>};
}

template <class T, class R>
judgment judge(onefold::op::product, onefold::accuracy mode, std::span<const T> x, const exact_sums&, bool) {
  big p = big::from(1);
  for (const T y : x) p *= big::from(y);
  const real n = static_cast<real>(x.size()), u = unit<R>, size = std::fabs(p.approximate());
  // Wide f64: 12 u^2 a factor covers Joldes, Muller & Popescu 2017, algorithm 11, with a product split by masking.
  const real wide = std::is_same_v<R, double> ? n * 12 * u * u : gamma(n, unit<double>);
  return {p, (mode == onefold::accuracy::native ? gamma(n, u) : u + (1 + u) * wide) * size};
}

/// Errors of the mean and of M2 by sums of deviations from a shift in f64, closed and merged by Chan's formula; kappa
/// as in Chan, Golub & LeVeque 1983. The squares of the deviations within a page are at most 1 + its length times those
/// from the mean, when the shift is an outlier; for data without outliers few times.
struct moments_bounds {
  real mean, m2;
  template <class T>
  moments_bounds(std::span<const T>, const exact_sums& e, onefold::accuracy mode, bool outliers) {
    if (mode == onefold::accuracy::exact) {
      mean = unit<double> * std::fabs(e.mean().approximate()) + smallest<double>;
      m2 = unit<double> * e.m2().approximate() + smallest<double>;
      return;
    }
    const real h = depth(e.n, sizeof(T)), u = unit<double>, n = static_cast<real>(e.n);
    const real squares = e.squares.approximate(), m2_exact = e.m2().approximate();
    const real spread = outliers ? 1 + 16384 / static_cast<real>(sizeof(T)) : 4;
    const real far = outliers ? std::sqrt(m2_exact) : 0;  // the most that any element is from the mean
    mean = 4 * h * u * (e.absolute.approximate() / n + far) + 2 * smallest<double>;
    m2 = spread * h * u * m2_exact + 4 * h * u * std::sqrt(m2_exact) * std::sqrt(squares) +
         16 * h * h * u * u * squares + n * smallest<double>;
  }
};

/// A correctly rounded result.
template <class R>
judgment judge_exact(const big& exact) {
  return {exact, unit<R> * std::fabs(exact.approximate()) + smallest<R>};
}

template <bool Sample, bool Root, class T, class R>
judgment judge_variance(std::span<const T> x, const exact_sums& e, onefold::accuracy mode, bool outliers) {
  const big v = e.m2() / big::from(e.n - (Sample ? 1 : 0));
  if (mode == onefold::accuracy::exact) return judge_exact<R>(Root ? sqrt(v) : v);
  const real relative = 4 * unit<R>;
  const real bound = moments_bounds(x, e, mode, outliers).m2 / static_cast<real>(e.n - (Sample ? 1 : 0));
  if constexpr (!Root) return {v, bound + relative * v.approximate() + smallest<R>};
  // |sqrt(a) - sqrt(b)| <= |a - b| / sqrt(b), and <= sqrt |a - b|.
  const real root = std::sqrt(v.approximate());
  return {sqrt(v), std::fmin(root > 0 ? bound / root : HUGE_VALL, std::sqrt(bound)) + relative * root + smallest<R>};
}
template <class T, class R>
judgment judge(onefold::op::variance, onefold::accuracy mode, std::span<const T> x, const exact_sums& e,
               bool outliers) {
  return judge_variance<false, false, T, R>(x, e, mode, outliers);
}
template <class T, class R>
judgment judge(onefold::op::sample_variance, onefold::accuracy mode, std::span<const T> x, const exact_sums& e,
               bool outliers) {
  return judge_variance<true, false, T, R>(x, e, mode, outliers);
}
template <class T, class R>
judgment judge(onefold::op::stddev, onefold::accuracy mode, std::span<const T> x, const exact_sums& e, bool outliers) {
  return judge_variance<false, true, T, R>(x, e, mode, outliers);
}
template <class T, class R>
judgment judge(onefold::op::sample_stddev, onefold::accuracy mode, std::span<const T> x, const exact_sums& e,
               bool outliers) {
  return judge_variance<true, true, T, R>(x, e, mode, outliers);
}

/// Squares are rounded and added in f64; an underflow is of half the smallest number, or of that.
template <bool Root, class T, class R>
judgment judge_squares(const exact_sums& e, onefold::accuracy mode) {
  if (mode == onefold::accuracy::exact) return judge_exact<R>(Root ? sqrt(e.squares) : e.squares);
  const real s = e.squares.approximate(), u = std::is_same_v<R, double> ? 0 : unit<R>;
  const real bound = gamma(depth(e.n, sizeof(T)) + 1, unit<double>) * s + 2 * static_cast<real>(e.n) * smallest<double>;
  if constexpr (!Root) return {e.squares, bound + u * (s + bound) + smallest<R>};
  const real root = std::sqrt(s), of_root = root > 0 ? std::fmin(bound / root, std::sqrt(bound)) : std::sqrt(bound);
  return {sqrt(e.squares), of_root + 2 * unit<R> * (root + of_root) + smallest<R>};
}
template <class T, class R>
judgment judge(onefold::op::sum_squares, onefold::accuracy mode, std::span<const T>, const exact_sums& e, bool) {
  return judge_squares<false, T, R>(e, mode);
}
template <class T, class R>
judgment judge(onefold::op::norm2, onefold::accuracy mode, std::span<const T>, const exact_sums& e, bool) {
  return judge_squares<true, T, R>(e, mode);
}

}  // namespace support
