// Statistics of two arrays: covariance, sample_covariance and correlation, of whole arrays and over axes.
//
// They are formulas over sums of the catalog, as the statistics of one array are (statistics.hpp): the elements are
// read for the means first, and then for products of distances from them, in f64, on CPUs.
#pragma once

#include <cstddef>
#include <type_traits>

#include "onefold/statistics.hpp"

namespace onefold {
namespace detail {
inline namespace ONEFOLD_LEVEL {

/// The type of a statistic of two arrays.
template <class X, class Y>
using joint_statistic_of =
    std::conditional_t<std::is_same_v<statistic_of<X>, float> && std::is_same_v<statistic_of<Y>, float>, float, double>;

/// The mean of each of two arrays.
struct mean_pair {
  double x, y;
};

/// What g returns for an element of each of two arrays and their means, as computed elements: a function of g.
template <class X, class Y>
auto elements_by_means(const one_result& form, const X& x, const Y& y, const options& how) {
  const mean_pair means{form.reduce<op::mean, double>(mapped(f64_value{}, x), how),
                        form.reduce<op::mean, double>(mapped(f64_value{}, y), how)};
  return [&x, &y, means](auto g) {
    return mapped([g, means](const auto& a, const auto& b) { return g(as_f64(a), as_f64(b), means); }, x, y);
  };
}
template <class X, class Y>
auto elements_by_means(const results_along& form, const X& x, const Y& y, const options& how) {
  const auto of_x = mapped(f64_value{}, x);
  const over each_line{.axes = form.axes, .keep = true};
  const auto mean_x = reduce_mapped<op::mean, double>(of_x, each_line, how, op::mean{});
  const auto mean_y = reduce_mapped<op::mean, double>(mapped(f64_value{}, y), each_line, how, op::mean{});
  result_array<mean_pair> means(mean_x.extents());
  for (std::size_t i = 0; i < means.size(); ++i) means[i] = {mean_x[i], mean_y[i]};
  return [&x, &y, means = std::move(means), like = of_x.axes()[0]](auto g) {
    return mapped([g](const auto& a, const auto& b, const mean_pair& m) { return g(as_f64(a), as_f64(b), m); }, x, y,
                  repeated(means, like));
  };
}

/// The statistic by a formula over the sums of distances from the means and of their products, and with `squares` of
/// their squares. The means are rounded; the formulas correct for that.
template <class Form, class X, class Y>
auto joint_moments_in(const Form& form, const char* name, statistic what, bool squares, const X& x, const Y& y,
                      const options& how) {
  const std::int64_t n =
      count_elements(name, mapped([](const auto&, const auto&) { return 0.0; }, x, y), axes_of(form), how);
  const auto elements = elements_by_means(form, x, y, how);
  const auto sum_of = [&](auto g) { return form.template reduce<op::sum, double>(elements(g), how); };
  const auto s_x = sum_of([](double a, double, const mean_pair& m) { return a - m.x; });
  const auto s_y = sum_of([](double, double b, const mean_pair& m) { return b - m.y; });
  const auto s_xy = sum_of([](double a, double b, const mean_pair& m) { return (a - m.x) * (b - m.y); });
  auto out = results_like<joint_statistic_of<X, Y>>(s_xy);
  if (squares) {
    const auto s_xx = sum_of([](double a, double, const mean_pair& m) { return (a - m.x) * (a - m.x); });
    const auto s_yy = sum_of([](double, double b, const mean_pair& m) { return (b - m.y) * (b - m.y); });
    finish(what, n, {all_of(s_x), all_of(s_y), all_of(s_xy), all_of(s_xx), all_of(s_yy)}, first_of(out));
  } else {
    finish(what, n, {all_of(s_x), all_of(s_y), all_of(s_xy)}, first_of(out));
  }
  return out;
}

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {

/// The population covariance: the mean product of the distances of x[i] and y[i] from the means of their arrays, as f64
/// if an array is of f64 or integers, otherwise f32. Everything but the rounding of the result is in f64; the means and
/// the sums have the accuracy of `how`, and the rounding of the means is corrected for (the corrected two-pass
/// algorithm). Arrays are what map_reduce takes, with equal extents; their elements may differ in type. Of one element
/// it is 0; with a NaN or an infinity it is NaN. Throws as map_reduce does; no elements (empty_input) and an initial
/// value (invalid_argument) are errors.
template <detail::function_argument X, detail::function_argument Y>
auto covariance(const X& x, const Y& y, const options& how = {}) {
  return detail::joint_moments_in(detail::one_result{}, "covariance", detail::statistic::covariance, false, x, y, how);
}
/// The same along some axes.
template <detail::axes_function_argument X, detail::axes_function_argument Y>
auto covariance(const X& x, const Y& y, const axis_list& axes, const options& how = {}) {
  return detail::joint_moments_in(detail::results_along{axes}, "covariance", detail::statistic::covariance, false, x, y,
                                  how);
}

/// The sample covariance, unbiased: the sum of the products over n - 1. Of one element it is NaN; the rest is as for
/// covariance.
template <detail::function_argument X, detail::function_argument Y>
auto sample_covariance(const X& x, const Y& y, const options& how = {}) {
  return detail::joint_moments_in(detail::one_result{}, "sample_covariance", detail::statistic::sample_covariance,
                                  false, x, y, how);
}
/// The same along some axes.
template <detail::axes_function_argument X, detail::axes_function_argument Y>
auto sample_covariance(const X& x, const Y& y, const axis_list& axes, const options& how = {}) {
  return detail::joint_moments_in(detail::results_along{axes}, "sample_covariance",
                                  detail::statistic::sample_covariance, false, x, y, how);
}

/// Pearson's correlation coefficient: the covariance over the root of the product of both variances, between -1 and 1;
/// exactly 1 for an array and itself. If all elements of an array are equal, and of one element, it is NaN; the rest is
/// as for covariance.
template <detail::function_argument X, detail::function_argument Y>
auto correlation(const X& x, const Y& y, const options& how = {}) {
  return detail::joint_moments_in(detail::one_result{}, "correlation", detail::statistic::correlation, true, x, y, how);
}
/// The same along some axes.
template <detail::axes_function_argument X, detail::axes_function_argument Y>
auto correlation(const X& x, const Y& y, const axis_list& axes, const options& how = {}) {
  return detail::joint_moments_in(detail::results_along{axes}, "correlation", detail::statistic::correlation, true, x,
                                  y, how);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
