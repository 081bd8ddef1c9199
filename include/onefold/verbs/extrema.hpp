// Extremes of whatever can be reduced: min, max, fmin, fmax, argmin, argmax, minmax.
#pragma once

#include "onefold/catalog/extrema.hpp"
#include "onefold/detail/verb.hpp"

namespace onefold {
inline namespace ONEFOLD_LEVEL {

/// The smallest element, where -0 is less than +0; NaN if any element is. Has the elements' type. Throws onefold::error
/// as `reduce` does; no elements are an error (empty_input) unless there is an initial value.
template <verb_argument Data>
result_of<op::min, Data> min(const Data& data, const options& how = {}) {
  return detail::reduced<op::min>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::min, Data> min(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced<op::min>(data, axes, how);
}

/// The largest element, where -0 is less than +0; NaN if any element is. Has the elements' type. Throws onefold::error
/// as `reduce` does; no elements are an error (empty_input) unless there is an initial value.
template <verb_argument Data>
result_of<op::max, Data> max(const Data& data, const options& how = {}) {
  return detail::reduced<op::max>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::max, Data> max(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced<op::max>(data, axes, how);
}

/// The smallest element that is not a NaN; NaN if all are. Has the elements' type. Throws onefold::error as `reduce`
/// does; no elements are an error (empty_input) unless there is an initial value.
template <verb_argument Data>
result_of<op::fmin, Data> fmin(const Data& data, const options& how = {}) {
  return detail::reduced<op::fmin>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::fmin, Data> fmin(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced<op::fmin>(data, axes, how);
}

/// The largest element that is not a NaN; NaN if all are. Has the elements' type. Throws onefold::error as `reduce`
/// does; no elements are an error (empty_input) unless there is an initial value.
template <verb_argument Data>
result_of<op::fmax, Data> fmax(const Data& data, const options& how = {}) {
  return detail::reduced<op::fmax>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::fmax, Data> fmax(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced<op::fmax>(data, axes, how);
}

/// The index of the first smallest element, or of the first NaN, as std::int64_t: counted along the reduced axes, in
/// each segment or group, or in the whole array under a mask. Throws onefold::error as `reduce` does; no elements are
/// an error (empty_input).
template <verb_argument Data>
result_of<op::argmin, Data> argmin(const Data& data, const options& how = {}) {
  return detail::reduced<op::argmin>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::argmin, Data> argmin(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced<op::argmin>(data, axes, how);
}

/// The index of the first largest element, or of the first NaN, as std::int64_t, counted as that of argmin. Throws
/// onefold::error as `reduce` does; no elements are an error (empty_input).
template <verb_argument Data>
result_of<op::argmax, Data> argmax(const Data& data, const options& how = {}) {
  return detail::reduced<op::argmax>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::argmax, Data> argmax(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced<op::argmax>(data, axes, how);
}

/// The smallest and the largest element in one pass, as min and max have them, in a minmax_result. Throws
/// onefold::error as `reduce` does; no elements are an error (empty_input).
template <verb_argument Data>
result_of<op::minmax, Data> minmax(const Data& data, const options& how = {}) {
  return detail::reduced<op::minmax>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::minmax, Data> minmax(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced<op::minmax>(data, axes, how);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
