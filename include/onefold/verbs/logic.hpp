// Truth and bits of whatever can be reduced: count, all, any, bit_and, bit_or, bit_xor.
#pragma once

#include "onefold/catalog/logic.hpp"
#include "onefold/detail/verb.hpp"

namespace onefold {
inline namespace ONEFOLD_LEVEL {

/// The number of elements that are not zero, as std::int64_t; a NaN counts. For no elements it is 0. Throws
/// onefold::error as `reduce` does.
template <verb_argument Data>
result_of<op::count, Data> count(const Data& data, const options& how = {}) {
  return detail::reduced<op::count>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::count, Data> count(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced<op::count>(data, axes, how);
}

/// Whether all elements are not zero, as bool; a NaN is not. For no elements it is true. Throws onefold::error as
/// `reduce` does.
template <verb_argument Data>
result_of<op::all, Data> all(const Data& data, const options& how = {}) {
  return detail::reduced<op::all>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::all, Data> all(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced<op::all>(data, axes, how);
}

/// Whether any element is not zero, as bool; a NaN is not. For no elements it is false. Throws onefold::error as
/// `reduce` does.
template <verb_argument Data>
result_of<op::any, Data> any(const Data& data, const options& how = {}) {
  return detail::reduced<op::any>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::any, Data> any(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced<op::any>(data, axes, how);
}

/// The bitwise and of integers, of their type. For no elements it has all bits set. Throws onefold::error as `reduce`
/// does.
template <verb_argument Data>
result_of<op::bit_and, Data> bit_and(const Data& data, const options& how = {}) {
  return detail::reduced<op::bit_and>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::bit_and, Data> bit_and(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced<op::bit_and>(data, axes, how);
}

/// The bitwise or of integers, of their type. For no elements it is 0. Throws onefold::error as `reduce` does.
template <verb_argument Data>
result_of<op::bit_or, Data> bit_or(const Data& data, const options& how = {}) {
  return detail::reduced<op::bit_or>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::bit_or, Data> bit_or(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced<op::bit_or>(data, axes, how);
}

/// The bitwise exclusive or of integers, of their type. For no elements it is 0. Throws onefold::error as `reduce`
/// does.
template <verb_argument Data>
result_of<op::bit_xor, Data> bit_xor(const Data& data, const options& how = {}) {
  return detail::reduced<op::bit_xor>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::bit_xor, Data> bit_xor(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced<op::bit_xor>(data, axes, how);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
