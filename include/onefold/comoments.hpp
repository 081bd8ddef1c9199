// Means, variances and covariance of two arrays in one pass, as an operation that also merges: comoments.
//
// It is a user-defined operation that ships with the library, over pairs of numbers: reduce, plans, axes, partials
// and accumulators take it, with the same bits however the pairs are divided. Files that include this header are
// compiled as <onefold/custom.hpp> says.
#pragma once

#include <cstdint>
#include <limits>

#include "onefold/custom.hpp"
#include "onefold/detail/statistics.hpp"
#include "onefold/map_reduce.hpp"
#include "onefold/math.hpp"

namespace onefold {
inline namespace ONEFOLD_LEVEL {

/// An element of each of two arrays.
struct number_pair {
  double x;  ///< of the first
  double y;  ///< of the second
};

/// The result of comoments: how many pairs, the means, and the sums of products of distances from them. With an
/// infinity or NaN among the numbers of an array, its mean is not finite and sums with it are NaN; of no pairs the
/// means are NaN. Every NaN is the canonical one.
///
/// Its functions compute in f64, and return NaN where a formula has no value. Sums that were rounded apart may make a
/// correlation of numbers with themselves that is a rounding less than 1.
struct comoments_result {
  std::int64_t n;  ///< how many pairs
  double mean_x;   ///< the mean of the first numbers
  double mean_y;   ///< the mean of the second numbers
  double xx;       ///< the sum of squared distances of the first numbers from their mean
  double yy;       ///< the same of the second numbers
  double xy;       ///< the sum of products of both distances

  /// The population covariance xy / n.
  ONEFOLD_INLINE constexpr double covariance() const {
    return detail::math::canonical_nan(xy / static_cast<double>(n));
  }
  /// The sample covariance xy / (n - 1); NaN for n < 2.
  ONEFOLD_INLINE constexpr double sample_covariance() const {
    return n < 2 ? __builtin_nan("") : detail::math::canonical_nan(xy / static_cast<double>(n - 1));
  }
  /// Pearson's correlation coefficient xy / sqrt(xx yy), between -1 and 1; NaN where xx or yy is zero, infinite or NaN.
  ONEFOLD_INLINE constexpr double correlation() const {
    if (!(xx > 0 && xx <= std::numeric_limits<double>::max() && yy > 0 && yy <= std::numeric_limits<double>::max()))
      return __builtin_nan("");
    const double r = xy / onefold::sqrt(xx) / onefold::sqrt(yy);
    return r > 1 ? 1 : r < -1 ? -1 : detail::math::canonical_nan(r);
  }
  /// Whether all members are equal.
  friend constexpr bool operator==(const comoments_result&, const comoments_result&) = default;
};

namespace op {

/// Count, means, and sums of products of distances from them, of pairs, as a comoments_result.
///
/// States merge by the pairwise formulas of Pébay 2008 ("Formulas for robust, one-pass parallel computation of
/// covariances and arbitrary-order statistical moments", SAND2008-6212). A mean is kept as a number and the distance
/// from it, so that numbers far from zero lose nothing.
struct comoments {
  /// Of some pairs.
  struct state {
    double n;       ///< how many
    double x;       ///< a number of the first array,
    double y;       ///< and one of the second
    double from_x;  ///< the mean less x
    double from_y;  ///< the mean less y
    double xx;      ///< the sum of squares of the first array's distances from its mean,
    double yy;      ///< the same of the second,
    double xy;      ///< and the sum of products of both
  };

  /// For no pairs.
  static constexpr state identity() { return {}; }
  /// For one pair: distances of what is not finite are NaN.
  static constexpr state lift(const number_pair& p) {
    const double no_x = p.x - p.x, no_y = p.y - p.y;
    return {1, p.x, p.y, 0, 0, no_x, no_y, no_x + no_y};
  }
  /// Of the pairs of both.
  static constexpr state combine(const state& a, const state& b) {
    if (a.n == 0) return b;
    if (b.n == 0) return a;
    const double n = a.n + b.n, share = b.n / n, weight = a.n * share;
    const double d = (b.x - a.x) + (b.from_x - a.from_x), e = (b.y - a.y) + (b.from_y - a.from_y);
    return {n,
            a.x,
            a.y,
            a.from_x + d * share,
            a.from_y + e * share,
            (a.xx + b.xx) + d * d * weight,
            (a.yy + b.yy) + e * e * weight,
            (a.xy + b.xy) + d * e * weight};
  }
  /// The result.
  static constexpr comoments_result finish(const state& s, std::int64_t n) {
    if (n == 0) return {0, __builtin_nan(""), __builtin_nan(""), 0, 0, 0};
    return {n,
            detail::math::canonical_nan(s.x + s.from_x),
            detail::math::canonical_nan(s.y + s.from_y),
            detail::math::canonical_nan(s.xx),
            detail::math::canonical_nan(s.yy),
            detail::math::canonical_nan(s.xy)};
  }
};

}  // namespace op
}  // namespace ONEFOLD_LEVEL
namespace detail {
inline namespace ONEFOLD_LEVEL {

/// An element of each of two arrays, as a pair.
struct paired {
  template <class X, class Y>
  constexpr number_pair operator()(const X& x, const Y& y) const {
    return {as_f64(x), as_f64(y)};
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {

/// Count, means, variances and covariance of two arrays in one pass, as a comoments_result. Arrays are what map_reduce
/// takes, with equal extents; everything is in f64. On CPUs. Throws as map_reduce does with a user-defined operation.
template <detail::function_argument X, detail::function_argument Y>
comoments_result comoments(const X& x, const Y& y, const options& how = {}) {
  return detail::as_verb("comoments", [&] { return map_reduce<op::comoments>(detail::paired{}, x, y, how); });
}
/// The same along some axes.
template <detail::axes_function_argument X, detail::axes_function_argument Y>
result_array<comoments_result> comoments(const X& x, const Y& y, const axis_list& axes, const options& how = {}) {
  return detail::as_verb("comoments",
                         [&] { return map_reduce<op::comoments>(detail::paired{}, x, y, over{.axes = axes}, how); });
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
