// Moments of whatever can be reduced: moments, variance, sample_variance, stddev, sample_stddev.
#pragma once

#include "onefold/catalog/moments.hpp"
#include "onefold/detail/verb.hpp"

namespace onefold {
inline namespace ONEFOLD_LEVEL {

/// How many elements there are, their mean, and the sum of squared deviations from it, as a moments_result: f64
/// whatever the elements. With a NaN or an infinity that sum is NaN. Throws onefold::error as `reduce` does; no
/// elements are an error (empty_input).
template <verb_argument Data>
result_of<op::moments, Data> moments(const Data& data, const options& how = {}) {
  return detail::reduced<op::moments>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::moments, Data> moments(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced<op::moments>(data, axes, how);
}

/// The population variance, as f64 for f64 and integers, else f32. With a NaN or an infinity it is NaN. Throws
/// onefold::error as `reduce` does; no elements are an error (empty_input).
template <verb_argument Data>
result_of<op::variance, Data> variance(const Data& data, const options& how = {}) {
  return detail::reduced<op::variance>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::variance, Data> variance(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced<op::variance>(data, axes, how);
}

/// The sample variance, divided by n - 1, as f64 for f64 and integers, else f32. For one element, or with a NaN or an
/// infinity, it is NaN. Throws onefold::error as `reduce` does; no elements are an error (empty_input).
template <verb_argument Data>
result_of<op::sample_variance, Data> sample_variance(const Data& data, const options& how = {}) {
  return detail::reduced<op::sample_variance>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::sample_variance, Data> sample_variance(const Data& data, const axis_list& axes,
                                                             const options& how = {}) {
  return detail::reduced<op::sample_variance>(data, axes, how);
}

/// The population standard deviation, as f64 for f64 and integers, else f32. With a NaN or an infinity it is NaN.
/// Throws onefold::error as `reduce` does; no elements are an error (empty_input).
template <verb_argument Data>
result_of<op::stddev, Data> stddev(const Data& data, const options& how = {}) {
  return detail::reduced<op::stddev>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::stddev, Data> stddev(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced<op::stddev>(data, axes, how);
}

/// The sample standard deviation, as f64 for f64 and integers, else f32. For one element, or with a NaN or an infinity,
/// it is NaN. Throws onefold::error as `reduce` does; no elements are an error (empty_input).
template <verb_argument Data>
result_of<op::sample_stddev, Data> sample_stddev(const Data& data, const options& how = {}) {
  return detail::reduced<op::sample_stddev>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::sample_stddev, Data> sample_stddev(const Data& data, const axis_list& axes,
                                                         const options& how = {}) {
  return detail::reduced<op::sample_stddev>(data, axes, how);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
