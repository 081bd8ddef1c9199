// Statistics of two arrays: covariance, sample_covariance and correlation, of whole arrays and over axes.
//
// They are formulas over sums of the catalog, as the statistics of one array are (statistics.hpp): each array is read
// once for its mean, and then both for each sum of distances from the means or of products of these, in f64, on CPUs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "onefold/statistics.hpp"

namespace onefold {
namespace detail {
inline namespace ONEFOLD_LEVEL {

/// The type of a statistic of two arrays.
template <class X, class Y>
using joint_statistic_of =
    std::conditional_t<std::is_same_v<statistic_of<X>, float> && std::is_same_v<statistic_of<Y>, float>, float, double>;

/// How many pairs of elements each result is of. Throws as count_elements.
template <class Form, class X, class Y>
std::int64_t count_pairs(const Form& form, const char* name, const X& x, const Y& y, const options& how) {
  return count_elements(name, mapped([](const auto&, const auto&) { return 0.0; }, x, y), axes_of(form), how);
}

/// Powers of two by which the elements of two arrays are multiplied, so that squares neither overflow nor vanish.
struct scaling_pair {
  double x = 1, y = 1;
};

/// Factors for each result; none where all are 1.
using factor_list = std::vector<scaling_pair>;

/// Factors, and the means of both arrays times these.
struct scaled_means {
  scaling_pair by;
  double x, y;
};

/// What g returns for the distances from their means of the elements of two arrays, times factors, as computed
/// elements: a function of g.
template <class X, class Y>
auto elements_by_means(const whole_data& form, const X& x, const Y& y, const factor_list& factors, const options& how) {
  const auto mean_of = [&](const auto& array, double factor) {
    return form.reduce<op::mean, double>(mapped([factor](const auto& a) { return as_f64(a) * factor; }, array), how);
  };
  const scaling_pair by = factors.empty() ? scaling_pair{} : factors[0];
  const scaled_means m{by, mean_of(x, by.x), mean_of(y, by.y)};
  return [&x, &y, m](auto g) {
    return mapped(
        [g, m](const auto& a, const auto& b) { return g(as_f64(a) * m.by.x - m.x, as_f64(b) * m.by.y - m.y); }, x, y);
  };
}
template <class X, class Y>
auto elements_by_means(const data_along& form, const X& x, const Y& y, const factor_list& factors, const options& how) {
  const over each_line{.axes = form.axes, .keep = true};
  const auto mean_of = [&](const auto& array, double scaling_pair::*factor) {
    const auto numbers = mapped(f64_value{}, array);
    if (factors.empty()) return reduce_mapped<op::mean, double>(numbers, each_line, how, op::mean{});
    result_array<double> by(mapped_problem<double>(numbers.axes(), each_line).kept);
    for (std::size_t i = 0; i < by.size(); ++i) by[i] = factors[i].*factor;
    const auto products =
        mapped([](const auto& a, double f) { return as_f64(a) * f; }, array, repeated(by, numbers.axes()[0]));
    return reduce_mapped<op::mean, double>(products, each_line, how, op::mean{});
  };
  const auto mean_x = mean_of(x, &scaling_pair::x), mean_y = mean_of(y, &scaling_pair::y);
  result_array<scaled_means> means(mean_x.extents());
  for (std::size_t i = 0; i < means.size(); ++i)
    means[i] = {factors.empty() ? scaling_pair{} : factors[i], mean_x[i], mean_y[i]};
  return [&x, &y, means = std::move(means), like = mapped(f64_value{}, x).axes()[0]](auto g) {
    return mapped([g](const auto& a, const auto& b,
                      const scaled_means& m) { return g(as_f64(a) * m.by.x - m.x, as_f64(b) * m.by.y - m.y); },
                  x, y, repeated(means, like));
  };
}

/// The sums of distances from the means, of their products, and with `squares` of their squares. The means are rounded;
/// the formulas over these correct for that.
template <bool squares, class Form, class X, class Y>
auto joint_sums(const Form& form, const X& x, const Y& y, const factor_list& factors, const options& how) {
  const auto elements = elements_by_means(form, x, y, factors, how);
  const auto sum_of = [&](auto g) { return form.template reduce<op::sum, double>(elements(g), how); };
  auto s_x = sum_of([](double a, double) { return a; });
  auto s_y = sum_of([](double, double b) { return b; });
  auto s_xy = sum_of([](double a, double b) { return a * b; });
  if constexpr (squares)
    return std::array{std::move(s_x), std::move(s_y), std::move(s_xy), sum_of([](double a, double) { return a * a; }),
                      sum_of([](double, double b) { return b * b; })};
  else
    return std::array{std::move(s_x), std::move(s_y), std::move(s_xy)};
}

/// The factors for arrays, of whose distances these are the sums of squares.
template <class Form, class X, class Y, class Sums>
factor_list factors_for(const Form& form, const X& x, const Y& y, const Sums& xx, const Sums& yy, const options& how) {
  factor_list factors;
  const auto multiply = [&](const auto& array, const Sums& squares, double scaling_pair::*factor) {
    if (are_in_range(all_of(squares))) return;
    options of_max = how;
    of_max.accuracy = accuracy::native;
    const auto largest = form.template reduce<op::max, double>(
        mapped([](const auto& a) { return absolute_value{}(as_f64(a)); }, array), of_max);
    for (std::size_t i = 0; i < all_of(largest).size(); ++i) {
      const double f = factor_into_range(all_of(largest)[i]);
      if (f == 1) continue;
      factors.resize(all_of(largest).size());
      factors[i].*factor = f;
    }
  };
  multiply(x, xx, &scaling_pair::x);
  multiply(y, yy, &scaling_pair::y);
  return factors;
}

/// The covariance, population's or sample's.
template <class Form, class X, class Y>
auto covariance_in(const Form& form, const char* name, statistic what, const X& x, const Y& y, const options& how) {
  if constexpr (!explained_arrays<Form, X, Y>::complete)
    return joint_statistic_of<X, Y>{};
  else
    return as_verb(name, [&] {
      const std::int64_t n = count_pairs(form, name, x, y, how);
      const auto [s_x, s_y, s_xy] = joint_sums<false>(form, x, y, {}, how);
      auto out = results_like<joint_statistic_of<X, Y>>(s_xy);
      finish(what, n, {all_of(s_x), all_of(s_y), all_of(s_xy)}, first_of(out));
      return out;
    });
}

/// The correlation.
template <class Form, class X, class Y>
auto correlation_in(const Form& form, const X& x, const Y& y, const options& how) {
  if constexpr (!explained_arrays<Form, X, Y>::complete)
    return joint_statistic_of<X, Y>{};
  else
    return as_verb("correlation", [&] {
      const std::int64_t n = count_pairs(form, "correlation", x, y, how);
      auto sums = joint_sums<true>(form, x, y, {}, how);
      if constexpr (std::is_same_v<joint_statistic_of<X, Y>, double>)  // squares of f32 are in the range of f64
        if (const factor_list factors = factors_for(form, x, y, sums[3], sums[4], how); !factors.empty())
          sums = joint_sums<true>(form, x, y, factors, how);
      const auto& [s_x, s_y, s_xy, s_xx, s_yy] = sums;
      auto out = results_like<joint_statistic_of<X, Y>>(s_xy);
      finish(statistic::correlation, n, {all_of(s_x), all_of(s_y), all_of(s_xy), all_of(s_xx), all_of(s_yy)},
             first_of(out));
      return out;
    });
}

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {

/// The population covariance: the mean product of the distances of x[i] and y[i] from the means of their arrays, as f64
/// if an array is of f64 or integers, otherwise f32. Everything but the rounding of the result is in f64; the means and
/// the sums have the accuracy of `how`, and the rounding of the means is corrected for (the corrected two-pass
/// algorithm). Arrays are what map_reduce takes, with equal extents; their elements may differ in type; along axes,
/// computed elements are those of up to two arrays in all. For one element it is 0; with a NaN or an infinity it is
/// NaN. Throws as map_reduce does; no elements (empty_input) and an initial value (invalid_argument) are errors.
template <detail::function_argument X, detail::function_argument Y>
auto covariance(const X& x, const Y& y, const options& how = {}) {
  return detail::covariance_in(detail::whole_data{}, "covariance", detail::statistic::covariance, x, y, how);
}
/// The same along some axes.
template <detail::axes_function_argument X, detail::axes_function_argument Y>
auto covariance(const X& x, const Y& y, const axis_list& axes, const options& how = {}) {
  return detail::covariance_in(detail::data_along{axes}, "covariance", detail::statistic::covariance, x, y, how);
}

/// The sample covariance, unbiased: the sum of the products over n - 1. For one element it is NaN; the rest is as for
/// covariance.
template <detail::function_argument X, detail::function_argument Y>
auto sample_covariance(const X& x, const Y& y, const options& how = {}) {
  return detail::covariance_in(detail::whole_data{}, "sample_covariance", detail::statistic::sample_covariance, x, y,
                               how);
}
/// The same along some axes.
template <detail::axes_function_argument X, detail::axes_function_argument Y>
auto sample_covariance(const X& x, const Y& y, const axis_list& axes, const options& how = {}) {
  return detail::covariance_in(detail::data_along{axes}, "sample_covariance", detail::statistic::sample_covariance, x,
                               y, how);
}

/// Pearson's correlation coefficient: the covariance over the root of the product of both variances, between -1 and 1;
/// exactly 1 for an array and itself. Where squares of distances overflow or vanish in f64, it is recomputed from
/// elements times a power of two, so that it is right for numbers of all sizes. If all elements of an array are equal,
/// and of one element, it is NaN; the rest is as for covariance.
template <detail::function_argument X, detail::function_argument Y>
auto correlation(const X& x, const Y& y, const options& how = {}) {
  return detail::correlation_in(detail::whole_data{}, x, y, how);
}
/// The same along some axes.
template <detail::axes_function_argument X, detail::axes_function_argument Y>
auto correlation(const X& x, const Y& y, const axis_list& axes, const options& how = {}) {
  return detail::correlation_in(detail::data_along{axes}, x, y, how);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
