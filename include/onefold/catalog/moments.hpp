// moments, variance, sample_variance, stddev, sample_stddev.
#pragma once

#include "onefold/catalog/facts.hpp"

namespace onefold {

/// The result of moments: how many elements, their mean, and the sum of squared deviations from it. With an infinity or
/// NaN among the elements m2 is NaN, and the mean what op::mean is: infinite for infinities of one sign, else NaN.
struct moments_result {
  std::int64_t n;  ///< how many elements
  double mean;     ///< their mean
  double m2;       ///< the sum of squared deviations from it
  /// The population variance m2 / n.
  ONEFOLD_INLINE constexpr double variance() const { return m2 / static_cast<double>(n); }
  /// The sample variance m2 / (n - 1); NaN for n = 1.
  ONEFOLD_INLINE constexpr double sample_variance() const { return m2 / (static_cast<double>(n) - 1); }
  /// Whether all members are equal.
  friend constexpr bool operator==(const moments_result&, const moments_result&) = default;
};

inline namespace ONEFOLD_LEVEL {
namespace op {

/// What the operations on moments share. They keep their state in f64: native and wide are the same for
/// elements up to f32 and integers; f64 has native, and both have exact.
struct moments_based : common_facts {
  static constexpr operation_family family = operation_family::moments;
  static constexpr bool empty_allowed = false;
  static constexpr bool takes_init = false;
  template <class T>
  static constexpr const char* declines(accuracy a) {
    constexpr bool is_f64 = __is_same(T, double);
    if (a != accuracy::kahan && !(a == accuracy::wide && is_f64)) return nullptr;
    return is_f64 ? "moments and variances of f64 have accuracy native and exact only; the nearest is exact"
                  : "moments and variances have accuracy native, wide and exact only; the nearest is exact";
  }
};

/// Count, mean and sum of squared deviations in one pass. Empty: an error.
struct moments : moments_based {
  static constexpr const char* name = "moments";
  static constexpr const char* summary = "count, mean and sum of squared deviations";
  static constexpr bool rounded = false;
  template <class T>
  using result = moments_result;
};

/// What variances and standard deviations share.
struct variance_based : moments_based {
  static constexpr bool rounded = true;
  template <class T>
  using result = typename detail::accumulator<T>::type;
};

/// The population variance. Empty: an error.
struct variance : variance_based {
  static constexpr const char* name = "variance";
  static constexpr const char* summary = "population variance";
};
/// The sample variance (divided by n - 1); NaN for one element. Empty: an error.
struct sample_variance : variance_based {
  static constexpr const char* name = "sample_variance";
  static constexpr const char* summary = "sample variance, divided by n - 1";
};
/// The square root of the population variance.
struct stddev : variance_based {
  static constexpr const char* name = "stddev";
  static constexpr const char* summary = "population standard deviation";
};
/// The square root of the sample variance.
struct sample_stddev : variance_based {
  static constexpr const char* name = "sample_stddev";
  static constexpr const char* summary = "sample standard deviation";
};

}  // namespace op
}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
