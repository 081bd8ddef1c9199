// The verbs without the elements that are NaN: nansum(x) is sum(where(x, not_nan)). fmin and fmax ignore NaN already;
// truth and bits have no such form.
#pragma once

#include "onefold/catalog.hpp"
#include "onefold/detail/verb_without_nan.hpp"

namespace onefold {
inline namespace ONEFOLD_LEVEL {

/// The sum of the elements that are not NaN: sum(where(x, not_nan)). If all are NaN it is 0. Throws as sum does.
template <verb_argument Data>
result_of<op::sum, Data> nansum(const Data& data, const options& how = {}) {
  return detail::reduced_without_nan<op::sum>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::sum, Data> nansum(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced_without_nan<op::sum>(data, axes, how);
}

/// The product of the elements that are not NaN: product(where(x, not_nan)). If all are NaN it is 1. Throws as product
/// does.
template <verb_argument Data>
result_of<op::product, Data> nanproduct(const Data& data, const options& how = {}) {
  return detail::reduced_without_nan<op::product>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::product, Data> nanproduct(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced_without_nan<op::product>(data, axes, how);
}

/// The smallest element that is not a NaN: min(where(x, not_nan)). Throws as min does: empty_input also if all are NaN
/// and there is no initial value.
template <verb_argument Data>
result_of<op::min, Data> nanmin(const Data& data, const options& how = {}) {
  return detail::reduced_without_nan<op::min>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::min, Data> nanmin(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced_without_nan<op::min>(data, axes, how);
}

/// The largest element that is not a NaN: max(where(x, not_nan)). Throws as max does: empty_input also if all are NaN
/// and there is no initial value.
template <verb_argument Data>
result_of<op::max, Data> nanmax(const Data& data, const options& how = {}) {
  return detail::reduced_without_nan<op::max>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::max, Data> nanmax(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced_without_nan<op::max>(data, axes, how);
}

/// The index of the first smallest element that is not a NaN, counted with those that are: argmin(where(x, not_nan)).
/// Throws as argmin does: empty_input also if all are NaN.
template <verb_argument Data>
result_of<op::argmin, Data> nanargmin(const Data& data, const options& how = {}) {
  return detail::reduced_without_nan<op::argmin>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::argmin, Data> nanargmin(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced_without_nan<op::argmin>(data, axes, how);
}

/// The index of the first largest element that is not a NaN, counted with those that are: argmax(where(x, not_nan)).
/// Throws as argmax does: empty_input also if all are NaN.
template <verb_argument Data>
result_of<op::argmax, Data> nanargmax(const Data& data, const options& how = {}) {
  return detail::reduced_without_nan<op::argmax>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::argmax, Data> nanargmax(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced_without_nan<op::argmax>(data, axes, how);
}

/// The smallest and the largest element that are not NaN: minmax(where(x, not_nan)). Throws as minmax does:
/// empty_input also if all are NaN.
template <verb_argument Data>
result_of<op::minmax, Data> nanminmax(const Data& data, const options& how = {}) {
  return detail::reduced_without_nan<op::minmax>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::minmax, Data> nanminmax(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced_without_nan<op::minmax>(data, axes, how);
}

/// The sum, its error bound and its condition number of the elements that are not NaN: sum_with_bound(where(x,
/// not_nan)). If all are NaN it is 0 without an error. Throws as sum_with_bound does.
template <verb_argument Data>
result_of<op::sum_with_bound, Data> nansum_with_bound(const Data& data, const options& how = {}) {
  return detail::reduced_without_nan<op::sum_with_bound>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::sum_with_bound, Data> nansum_with_bound(const Data& data, const axis_list& axes,
                                                              const options& how = {}) {
  return detail::reduced_without_nan<op::sum_with_bound>(data, axes, how);
}

/// The sum of squares of the elements that are not NaN: sum_squares(where(x, not_nan)). If all are NaN it is 0. Throws
/// as sum_squares does.
template <verb_argument Data>
result_of<op::sum_squares, Data> nansum_squares(const Data& data, const options& how = {}) {
  return detail::reduced_without_nan<op::sum_squares>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::sum_squares, Data> nansum_squares(const Data& data, const axis_list& axes,
                                                        const options& how = {}) {
  return detail::reduced_without_nan<op::sum_squares>(data, axes, how);
}

/// The Euclidean norm of the elements that are not NaN: norm2(where(x, not_nan)). If all are NaN it is 0. Throws as
/// norm2 does.
template <verb_argument Data>
result_of<op::norm2, Data> nannorm2(const Data& data, const options& how = {}) {
  return detail::reduced_without_nan<op::norm2>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::norm2, Data> nannorm2(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced_without_nan<op::norm2>(data, axes, how);
}

/// The mean of the elements that are not NaN: mean(where(x, not_nan)). Throws as mean does: empty_input also if all
/// are NaN.
template <verb_argument Data>
result_of<op::mean, Data> nanmean(const Data& data, const options& how = {}) {
  return detail::reduced_without_nan<op::mean>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::mean, Data> nanmean(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced_without_nan<op::mean>(data, axes, how);
}

/// Number, mean and sum of squared deviations of the elements that are not NaN: moments(where(x, not_nan)). Throws as
/// moments does: empty_input also if all are NaN.
template <verb_argument Data>
result_of<op::moments, Data> nanmoments(const Data& data, const options& how = {}) {
  return detail::reduced_without_nan<op::moments>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::moments, Data> nanmoments(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced_without_nan<op::moments>(data, axes, how);
}

/// The population variance of the elements that are not NaN: variance(where(x, not_nan)). Throws as variance does:
/// empty_input also if all are NaN.
template <verb_argument Data>
result_of<op::variance, Data> nanvariance(const Data& data, const options& how = {}) {
  return detail::reduced_without_nan<op::variance>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::variance, Data> nanvariance(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced_without_nan<op::variance>(data, axes, how);
}

/// The sample variance of the elements that are not NaN: sample_variance(where(x, not_nan)). Throws as sample_variance
/// does: empty_input also if all are NaN.
template <verb_argument Data>
result_of<op::sample_variance, Data> nansample_variance(const Data& data, const options& how = {}) {
  return detail::reduced_without_nan<op::sample_variance>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::sample_variance, Data> nansample_variance(const Data& data, const axis_list& axes,
                                                                const options& how = {}) {
  return detail::reduced_without_nan<op::sample_variance>(data, axes, how);
}

/// The population standard deviation of the elements that are not NaN: stddev(where(x, not_nan)). Throws as stddev
/// does: empty_input also if all are NaN.
template <verb_argument Data>
result_of<op::stddev, Data> nanstddev(const Data& data, const options& how = {}) {
  return detail::reduced_without_nan<op::stddev>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::stddev, Data> nanstddev(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced_without_nan<op::stddev>(data, axes, how);
}

/// The sample standard deviation of the elements that are not NaN: sample_stddev(where(x, not_nan)). Throws as
/// sample_stddev does: empty_input also if all are NaN.
template <verb_argument Data>
result_of<op::sample_stddev, Data> nansample_stddev(const Data& data, const options& how = {}) {
  return detail::reduced_without_nan<op::sample_stddev>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::sample_stddev, Data> nansample_stddev(const Data& data, const axis_list& axes,
                                                            const options& how = {}) {
  return detail::reduced_without_nan<op::sample_stddev>(data, axes, how);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
