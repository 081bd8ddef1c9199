// Sums and products of whatever can be reduced: sum, product, mean, sum_squares, norm2, sum_with_bound.
#pragma once

#include "onefold/catalog/sums.hpp"
#include "onefold/detail/verb.hpp"

namespace onefold {
inline namespace ONEFOLD_LEVEL {

/// The sum of the elements, as f64 for f64, i64 or u64 for integers, which wraps, else f32. For no elements it is 0;
/// with a NaN, or infinities of both signs, NaN. Throws onefold::error as `reduce` does, and overflow where an exact
/// sum of integers is out of range.
template <verb_argument Data>
result_of<op::sum, Data> sum(const Data& data, const options& how = {}) {
  return detail::reduced<op::sum>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::sum, Data> sum(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced<op::sum>(data, axes, how);
}

/// The product of the elements, as f64 for f64, i64 or u64 for integers, which wraps, else f32. For no elements it is
/// 1; with a NaN it is NaN. Throws onefold::error as `reduce` does.
template <verb_argument Data>
result_of<op::product, Data> product(const Data& data, const options& how = {}) {
  return detail::reduced<op::product>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::product, Data> product(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced<op::product>(data, axes, how);
}

/// The arithmetic mean, as f64 for f64 and integers, else f32. With a NaN, or infinities of both signs, it is NaN.
/// Throws onefold::error as `reduce` does; no elements are an error (empty_input).
template <verb_argument Data>
result_of<op::mean, Data> mean(const Data& data, const options& how = {}) {
  return detail::reduced<op::mean>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::mean, Data> mean(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced<op::mean>(data, axes, how);
}

/// The sum of the elements' squares, as f64 for f64 and integers, else f32. For no elements it is 0; with a NaN it is
/// NaN. Throws onefold::error as `reduce` does.
template <verb_argument Data>
result_of<op::sum_squares, Data> sum_squares(const Data& data, const options& how = {}) {
  return detail::reduced<op::sum_squares>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::sum_squares, Data> sum_squares(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced<op::sum_squares>(data, axes, how);
}

/// The Euclidean norm, the root of the sum of squares, as f64 for f64 and integers, else f32; not scaled, so that
/// squares may overflow or vanish unless the accuracy is exact. For no elements it is 0; with a NaN it is NaN. Throws
/// onefold::error as `reduce` does.
template <verb_argument Data>
result_of<op::norm2, Data> norm2(const Data& data, const options& how = {}) {
  return detail::reduced<op::norm2>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::norm2, Data> norm2(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced<op::norm2>(data, axes, how);
}

/// The sum of floating-point elements, how far it can be from the exact one, and its condition number, as a
/// bounded_sum. For no elements it is 0 without an error; with a NaN the sum is NaN and the bound infinite. Throws
/// onefold::error as `reduce` does.
template <verb_argument Data>
result_of<op::sum_with_bound, Data> sum_with_bound(const Data& data, const options& how = {}) {
  return detail::reduced<op::sum_with_bound>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::sum_with_bound, Data> sum_with_bound(const Data& data, const axis_list& axes,
                                                           const options& how = {}) {
  return detail::reduced<op::sum_with_bound>(data, axes, how);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
