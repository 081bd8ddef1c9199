// More statistics: ptp, geometric_mean, harmonic_mean, skewness, sample_skewness, excess_kurtosis and
// sample_excess_kurtosis, of whole arrays and over axes.
//
// They are formulas over reductions of the catalog: ptp over minmax, the others over computed elements in f64, on CPUs.
// Higher moments read the elements twice or more, first for the mean and then for powers of distances from it: they
// have every accuracy, and outliers cost nothing. central_moments.hpp has them in one pass, as an operation that
// merges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "onefold/detail/statistics.hpp"
#include "onefold/vectors.hpp"

namespace onefold {
namespace detail {
inline namespace ONEFOLD_LEVEL {

/// The type of the difference of two elements: that of a sum of floating-point ones, of integers the unsigned one of
/// their size, which has all differences.
template <class T>
using difference_type = std::conditional_t<is_float<canonical_t<T>>, default_result<canonical_t<T>, op::sum>,
                                           magnitude_type<canonical_t<T>>>;

/// The distance of both ends.
struct distance_of_ends {
  template <class T>
  difference_type<T> operator()(const minmax_result<T>& ends) const {
    using R = difference_type<T>;
    if constexpr (is_float<R>) {
      const double high = as_f64(ends.max), low = as_f64(ends.min);
      R distance{};
      finish(statistic::difference, 2, {all_of(high), all_of(low)}, &distance);
      return distance;
    } else {
      return static_cast<R>(static_cast<R>(ends.max) - static_cast<R>(ends.min));
    }
  }
  int operator()(int refused) const { return refused; }
};

/// The type of a statistic of an array's elements.
template <class X>
using statistic_of = real_of<working_type<std::conditional_t<element<vector_element<X>>, vector_element<X>, double>>>;

/// The number of elements of each result. Throws empty_input for results of no elements, invalid_argument for an
/// initial value.
template <class M>
std::int64_t count_elements(const char* name, const M& what, const over& along, const options& how) {
  require_no_init(name, how);
  const mapped_problem<double> problem(what.axes(), along);
  const std::int64_t n = problem.maps.of[0].n;
  if (n == 0 && problem.outputs() > 0)
    throw error(error_code::empty_input, std::string(name) + " of no elements has no value: the input is empty");
  return n;
}

inline over axes_of(const whole_data&) { return {}; }
inline over axes_of(const data_along& form) { return {.axes = form.axes}; }

/// The statistic by a formula over the means of a function of the elements.
template <class Form, class X>
auto mean_in(const Form& form, const char* name, statistic what, number_function f, const X& x, const options& how) {
  return as_verb(name, [&] {
    const auto elements = mapped(f64_value{}, x);
    const std::int64_t n = detail::count_elements(name, elements, axes_of(form), how);
    const auto means = form.template reduce<op::mean, double>(library_elements(f, elements), how);
    auto out = results_like<statistic_of<X>>(means);
    finish(what, n, {all_of(means)}, first_of(out));
    return out;
  });
}

/// Says of how many arrays computed elements are that have statistics: along axes, the means are one more array.
template <class Form, class... X>
struct explained_arrays {
  static constexpr bool along = std::is_same_v<Form, data_along>;
  static constexpr std::size_t arrays = (arrays_of<X> + ...);
  static constexpr bool complete = arrays + along <= most_mapped_arrays;
  static_assert(along || complete, "onefold: statistics of computed elements take those of up to three arrays in all");
  static_assert(!along || complete,
                "onefold: along axes, covariances, correlations, skewness and kurtosis of computed elements take those "
                "of up to two arrays in all: write what the function returns to an array first");
};

/// A mean for each element of an array: those of results that kept the reduced axes.
template <class T>
array_view<T> repeated(const result_array<T>& means, const mapped_axes& like) {
  extents e;
  axis_numbers<std::int64_t> s;
  std::int64_t stride = static_cast<std::int64_t>(means.size());
  for (std::size_t i = 0; i < like.rank; ++i) {
    const std::int64_t kept = means.extents()[i];
    stride = kept > 0 ? stride / kept : 0;
    e.push_back(like.axes[i].extent);
    s.push_back(kept == like.axes[i].extent ? stride : 0);
  }
  return {means.data(), e, s};
}

/// What f returns for the distances of the elements from their mean, as computed elements. The mean is rounded; the
/// formulas correct for that.
template <class M, class X, class Function>
auto with_distances(const whole_data& form, const M& elements, const X& x, const options& how, const Function& f) {
  const auto mean = form.reduce<op::mean, double>(elements, how);
  return f(mapped([mean](const auto& a) { return as_f64(a) - mean; }, x));
}
template <class M, class X, class Function>
auto with_distances(const data_along& form, const M& elements, const X& x, const options& how, const Function& f) {
  const auto means = reduce_mapped<op::mean, double>(elements, over{.axes = form.axes, .keep = true}, how, op::mean{});
  return f(mapped([](const auto& a, double mean) { return as_f64(a) - mean; }, x, repeated(means, elements.axes()[0])));
}

/// The statistic by a formula over the sums of powers of distances from the mean, up to the fourth or the third.
template <class Form, class X>
auto moments_in(const Form& form, const char* name, statistic what, bool fourth, const X& x, const options& how) {
  if constexpr (!explained_arrays<Form, X>::complete)
    return statistic_of<X>{};
  else
    return as_verb(name, [&] {
      const auto elements = mapped(f64_value{}, x);
      const std::int64_t n = detail::count_elements(name, elements, axes_of(form), how);
      return with_distances(form, elements, x, how, [&](const auto& distances) {
        const auto sum_of = [&](number_function f) {
          return form.template reduce<op::sum, double>(library_elements(f, distances), how);
        };
        const auto s1 = sum_of(number_function::itself), s2 = sum_of(number_function::square),
                   s3 = sum_of(number_function::cube);
        auto out = results_like<statistic_of<X>>(s1);
        if (fourth) {
          const auto s4 = sum_of(number_function::fourth_power);
          finish(what, n, {all_of(s1), all_of(s2), all_of(s3), all_of(s4)}, first_of(out));
        } else {
          finish(what, n, {all_of(s1), all_of(s2), all_of(s3)}, first_of(out));
        }
        return out;
      });
    });
}

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {

/// The range of the elements, peak to peak: the largest minus the smallest, rounded once, as f64 for f64, the unsigned
/// type of their size for integers, otherwise f32. With a NaN it is NaN. Takes whatever `minmax` takes, on all
/// backends. Throws onefold::error as `reduce` does; no elements are an error (empty_input).
template <verb_argument Data>
auto ptp(const Data& data, const options& how = {}) {
  return detail::as_verb("ptp", [&] {
    return detail::for_each_result(detail::distance_of_ends{}, detail::reduced<op::minmax>(data, how));
  });
}
/// The same over some axes.
template <axes_argument Data>
auto ptp(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::as_verb("ptp", [&] {
    return detail::for_each_result(detail::distance_of_ends{}, detail::reduced<op::minmax>(data, axes, how));
  });
}

/// The geometric mean, e to the `mean` of the logarithms, as f64 for f64 and integers, otherwise f32. Everything but
/// the rounding of the result is in f64. With a zero it is 0, with a negative number, a NaN, or both a zero and an
/// infinity it is NaN. Throws as map_reduce does; no elements (empty_input) and an initial value (invalid_argument) are
/// errors.
template <detail::function_argument X>
auto geometric_mean(const X& x, const options& how = {}) {
  return detail::mean_in(detail::whole_data{}, "geometric_mean", detail::statistic::geometric_mean,
                         detail::number_function::logarithm, x, how);
}
/// The same along some axes.
template <detail::axes_function_argument X>
auto geometric_mean(const X& x, const axis_list& axes, const options& how = {}) {
  return detail::mean_in(detail::data_along{axes}, "geometric_mean", detail::statistic::geometric_mean,
                         detail::number_function::logarithm, x, how);
}

/// The harmonic mean, 1 over the `mean` of the reciprocals, as f64 for f64 and integers, otherwise f32. Everything but
/// the rounding of the result is in f64. With a zero it is 0, with a negative number or a NaN it is NaN. Throws as
/// geometric_mean does.
template <detail::function_argument X>
auto harmonic_mean(const X& x, const options& how = {}) {
  return detail::mean_in(detail::whole_data{}, "harmonic_mean", detail::statistic::harmonic_mean,
                         detail::number_function::reciprocal, x, how);
}
/// The same along some axes.
template <detail::axes_function_argument X>
auto harmonic_mean(const X& x, const axis_list& axes, const options& how = {}) {
  return detail::mean_in(detail::data_along{axes}, "harmonic_mean", detail::statistic::harmonic_mean,
                         detail::number_function::reciprocal, x, how);
}

/// The population skewness, g1 = m3 / m2^1.5 of the mean powers of distances from the mean, as f64 for f64 and
/// integers, otherwise f32. Everything but the rounding of the result is in f64; the mean and the sums of powers have
/// the accuracy of `how`, and the rounding of the mean is corrected for (the corrected two-pass algorithm: Chan, Golub
/// & LeVeque 1983, here for higher powers). If all elements are equal, or one is a NaN or an infinity, it is NaN.
/// Along axes, computed elements are those of up to two arrays. Throws as geometric_mean does.
template <detail::function_argument X>
auto skewness(const X& x, const options& how = {}) {
  return detail::moments_in(detail::whole_data{}, "skewness", detail::statistic::skewness, false, x, how);
}
/// The same along some axes.
template <detail::axes_function_argument X>
auto skewness(const X& x, const axis_list& axes, const options& how = {}) {
  return detail::moments_in(detail::data_along{axes}, "skewness", detail::statistic::skewness, false, x, how);
}

/// The sample skewness, unbiased for a normal distribution: G1 = g1 sqrt(n (n - 1)) / (n - 2) (Joanes & Gill
/// 1998). Of fewer than 3 elements it is NaN; the rest is as for skewness.
template <detail::function_argument X>
auto sample_skewness(const X& x, const options& how = {}) {
  return detail::moments_in(detail::whole_data{}, "sample_skewness", detail::statistic::sample_skewness, false, x, how);
}
/// The same along some axes.
template <detail::axes_function_argument X>
auto sample_skewness(const X& x, const axis_list& axes, const options& how = {}) {
  return detail::moments_in(detail::data_along{axes}, "sample_skewness", detail::statistic::sample_skewness, false, x,
                            how);
}

/// The population excess kurtosis, g2 = m4 / m2^2 - 3 of the mean powers of distances from the mean, which is 0 for a
/// normal distribution. The rest is as for skewness.
template <detail::function_argument X>
auto excess_kurtosis(const X& x, const options& how = {}) {
  return detail::moments_in(detail::whole_data{}, "excess_kurtosis", detail::statistic::excess_kurtosis, true, x, how);
}
/// The same along some axes.
template <detail::axes_function_argument X>
auto excess_kurtosis(const X& x, const axis_list& axes, const options& how = {}) {
  return detail::moments_in(detail::data_along{axes}, "excess_kurtosis", detail::statistic::excess_kurtosis, true, x,
                            how);
}

/// The sample excess kurtosis, unbiased for a normal distribution: G2 = (n - 1) ((n + 1) g2 + 6) / ((n - 2) (n - 3))
/// (Joanes & Gill 1998). Of fewer than 4 elements it is NaN; the rest is as for skewness.
template <detail::function_argument X>
auto sample_excess_kurtosis(const X& x, const options& how = {}) {
  return detail::moments_in(detail::whole_data{}, "sample_excess_kurtosis", detail::statistic::sample_excess_kurtosis,
                            true, x, how);
}
/// The same along some axes.
template <detail::axes_function_argument X>
auto sample_excess_kurtosis(const X& x, const axis_list& axes, const options& how = {}) {
  return detail::moments_in(detail::data_along{axes}, "sample_excess_kurtosis",
                            detail::statistic::sample_excess_kurtosis, true, x, how);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
