// Row operations on whatever has rows: softmax, log_softmax, logsumexp, layer_norm, rms_norm, normalize, standardize;
// of all else they say why not.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include "onefold/norm.hpp"
#include "onefold/row_operations.hpp"

namespace onefold {
inline namespace ONEFOLD_LEVEL {

/// What normalize divides by: the larger one of a norm and eps.
struct normalization {
  norm kind = norm::l2;  ///< the norm
  double eps = 1e-12;    ///< the least divisor
};

}  // namespace ONEFOLD_LEVEL
namespace detail {
inline namespace ONEFOLD_LEVEL {

/// Whether data is a range, selected or not, and so one line.
template <class Data>
concept is_one_line = (contiguous_elements<Data> && !with_axes<Data>) || is_scattered<Data> ||
                      requires(const Data& range) {
  []<class T>(const selected_range<T>&) {}(range);
};

/// The operation that normalizes by a norm.
inline row_operation operation_of(norm kind) {
  return kind == norm::l1   ? row_operation::normalize_l1
         : kind == norm::l2 ? row_operation::normalize_l2
                            : row_operation::normalize_max;
}

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {

// The form of each: results in an array of their own, with the extents of the data; the same along an axis, which is
// otherwise the last one; and into memory of the caller's, also without naming the last axis.

/// exp(x) over the sum of exp(x) along each line, without overflow. A line with a NaN or an infinite largest element is
/// NaN throughout. Throws onefold::error as reduce does; unsupported for accuracies other than native, and
/// invalid_argument for an axis that the data does not have, and for results that do not have its extents or overlap
/// it.
template <verb_argument Data>
result_array<detail::row_element<Data>> softmax(const Data& data, const options& how = {}) {
  return detail::rows_of(row_operation::softmax, data, -1, {}, how);
}
/// The same along an axis.
template <axes_argument Data>
result_array<detail::row_element<Data>> softmax(const Data& data, row_axis axis, const options& how = {}) {
  return detail::rows_of(row_operation::softmax, data, axis, {}, how);
}
/// The same into memory of the caller's.
template <axes_argument Data>
void softmax(const Data& data, row_axis axis, const row_output<detail::row_element<Data>>& out,
             const options& how = {}) {
  detail::rows_into(row_operation::softmax, data, axis, out, {}, how);
}
/// The same along the last axis: softmax(x, x) works in place.
template <detail::has_lines Data>
void softmax(const Data& data, const row_output<detail::row_element<Data>>& out, const options& how = {}) {
  detail::rows_into(row_operation::softmax, data, -1, out, {}, how);
}

/// The logarithm of softmax, computed without it: (x - largest) - log(sum). Throws as softmax.
template <verb_argument Data>
result_array<detail::row_element<Data>> log_softmax(const Data& data, const options& how = {}) {
  return detail::rows_of(row_operation::log_softmax, data, -1, {}, how);
}
/// The same along an axis.
template <axes_argument Data>
result_array<detail::row_element<Data>> log_softmax(const Data& data, row_axis axis, const options& how = {}) {
  return detail::rows_of(row_operation::log_softmax, data, axis, {}, how);
}
/// The same into memory of the caller's.
template <axes_argument Data>
void log_softmax(const Data& data, row_axis axis, const row_output<detail::row_element<Data>>& out,
                 const options& how = {}) {
  detail::rows_into(row_operation::log_softmax, data, axis, out, {}, how);
}
/// The same along the last axis: log_softmax(x, x) works in place.
template <detail::has_lines Data>
void log_softmax(const Data& data, const row_output<detail::row_element<Data>>& out, const options& how = {}) {
  detail::rows_into(row_operation::log_softmax, data, -1, out, {}, how);
}

/// log(sum of exp(x)) of each line, without overflow: of a range one number; of a view and of computed
/// elements one result a line, with the extents that are left without the axis. For no elements it is -infinity. Throws
/// as softmax.
template <verb_argument Data>
auto logsumexp(const Data& data, const options& how = {}) {
  auto lines = detail::rows_of(row_operation::logsumexp, data, -1, {}, how);
  if constexpr (detail::is_one_line<Data>)
    return lines[0];
  else
    return lines;
}
/// The same along an axis.
template <axes_argument Data>
result_array<detail::row_element<Data>> logsumexp(const Data& data, row_axis axis, const options& how = {}) {
  return detail::rows_of(row_operation::logsumexp, data, axis, {}, how);
}
/// The same into memory of the caller's.
template <axes_argument Data>
void logsumexp(const Data& data, row_axis axis, const row_output<detail::row_element<Data>>& out,
               const options& how = {}) {
  detail::rows_into(row_operation::logsumexp, data, axis, out, {}, how);
}
/// The same along the last axis.
template <detail::has_lines Data>
void logsumexp(const Data& data, const row_output<detail::row_element<Data>>& out, const options& how = {}) {
  detail::rows_into(row_operation::logsumexp, data, -1, out, {}, how);
}

/// (x - mean) / sqrt(variance + eps) along each line, times weight, plus bias. Mean and variance are those of `moments`
/// at the accuracy asked for. Options in a variable may stand in place of the parameters, in each form. Throws as
/// softmax, for accuracies as `moments`, and invalid_argument for weights, biases and statistics of another length.
template <verb_argument Data>
result_array<detail::row_element<Data>> layer_norm(const Data& data,
                                                   const row_parameters<detail::row_element<Data>>& with = {},
                                                   const options& how = {}) {
  return detail::rows_of(row_operation::layer_norm, data, -1, with, how);
}
/// The same along an axis.
template <axes_argument Data>
result_array<detail::row_element<Data>> layer_norm(const Data& data, row_axis axis,
                                                   const row_parameters<detail::row_element<Data>>& with = {},
                                                   const options& how = {}) {
  return detail::rows_of(row_operation::layer_norm, data, axis, with, how);
}
/// The same into memory of the caller's.
template <axes_argument Data>
void layer_norm(const Data& data, row_axis axis, const row_output<detail::row_element<Data>>& out,
                const row_parameters<detail::row_element<Data>>& with = {}, const options& how = {}) {
  detail::rows_into(row_operation::layer_norm, data, axis, out, with, how);
}
/// The same along the last axis: layer_norm(x, x) works in place.
template <detail::has_lines Data>
void layer_norm(const Data& data, const row_output<detail::row_element<Data>>& out,
                const row_parameters<detail::row_element<Data>>& with = {}, const options& how = {}) {
  detail::rows_into(row_operation::layer_norm, data, -1, out, with, how);
}

/// x / sqrt(mean of squares + eps) along each line, times weight. Options and errors are those of layer_norm.
template <verb_argument Data>
result_array<detail::row_element<Data>> rms_norm(const Data& data,
                                                 const row_parameters<detail::row_element<Data>>& with = {},
                                                 const options& how = {}) {
  return detail::rows_of(row_operation::rms_norm, data, -1, with, how);
}
/// The same along an axis.
template <axes_argument Data>
result_array<detail::row_element<Data>> rms_norm(const Data& data, row_axis axis,
                                                 const row_parameters<detail::row_element<Data>>& with = {},
                                                 const options& how = {}) {
  return detail::rows_of(row_operation::rms_norm, data, axis, with, how);
}
/// The same into memory of the caller's.
template <axes_argument Data>
void rms_norm(const Data& data, row_axis axis, const row_output<detail::row_element<Data>>& out,
              const row_parameters<detail::row_element<Data>>& with = {}, const options& how = {}) {
  detail::rows_into(row_operation::rms_norm, data, axis, out, with, how);
}
/// The same along the last axis: rms_norm(x, x) works in place.
template <detail::has_lines Data>
void rms_norm(const Data& data, const row_output<detail::row_element<Data>>& out,
              const row_parameters<detail::row_element<Data>>& with = {}, const options& how = {}) {
  detail::rows_into(row_operation::rms_norm, data, -1, out, with, how);
}

/// x over the larger one of a norm of its line and eps. Options may stand in place of the norm, as in layer_norm.
/// Throws as softmax; unsupported for accuracies other than native with l1, and other than those of `sum_squares` with
/// l2.
template <verb_argument Data>
result_array<detail::row_element<Data>> normalize(const Data& data, const normalization& by = {},
                                                  const options& how = {}) {
  return detail::rows_of(detail::operation_of(by.kind), data, -1, {.eps = by.eps}, how);
}
/// The same along an axis.
template <axes_argument Data>
result_array<detail::row_element<Data>> normalize(const Data& data, row_axis axis, const normalization& by = {},
                                                  const options& how = {}) {
  return detail::rows_of(detail::operation_of(by.kind), data, axis, {.eps = by.eps}, how);
}
/// The same into memory of the caller's.
template <axes_argument Data>
void normalize(const Data& data, row_axis axis, const row_output<detail::row_element<Data>>& out,
               const normalization& by = {}, const options& how = {}) {
  detail::rows_into(detail::operation_of(by.kind), data, axis, out, {.eps = by.eps}, how);
}
/// The same along the last axis: normalize(x, x) works in place.
template <detail::has_lines Data>
void normalize(const Data& data, const row_output<detail::row_element<Data>>& out, const normalization& by = {},
               const options& how = {}) {
  detail::rows_into(detail::operation_of(by.kind), data, -1, out, {.eps = by.eps}, how);
}

/// @cond
// With options in place of the parameters: those in a variable, since braces hold parameters. And of a list in braces.
#define ONEFOLD_VERB(verb, parameters)                                                                            \
  template <verb_argument Data, std::same_as<options> How>                                                        \
  auto verb(const Data& data, const How& how) {                                                                   \
    return onefold::verb(data, parameters{}, how);                                                                \
  }                                                                                                               \
  template <axes_argument Data, std::same_as<options> How>                                                        \
  auto verb(const Data& data, row_axis axis, const How& how) {                                                    \
    return onefold::verb(data, axis, parameters{}, how);                                                          \
  }                                                                                                               \
  template <axes_argument Data, detail::takes_rows<detail::row_element<Data>> Out, std::same_as<options> How>     \
  void verb(const Data& data, row_axis axis, Out&& out, const How& how) {                                         \
    onefold::verb(data, axis, std::forward<Out>(out), parameters{}, how);                                         \
  }                                                                                                               \
  template <detail::has_lines Data, detail::takes_rows<detail::row_element<Data>> Out, std::same_as<options> How> \
  void verb(const Data& data, Out&& out, const How& how) {                                                        \
    onefold::verb(data, std::forward<Out>(out), parameters{}, how);                                               \
  }                                                                                                               \
  template <class T, std::size_t n, class Data = std::span<const T>>                                              \
  auto verb(const T(&elements)[n], const std::type_identity_t<parameters>& with = {}, const options& how = {}) {  \
    return onefold::verb(Data(elements), with, how);                                                              \
  }                                                                                                               \
  template <class T, std::size_t n, std::same_as<options> How>                                                    \
  auto verb(const T(&elements)[n], const How& how) {                                                              \
    return onefold::verb(std::span<const T>(elements), how);                                                      \
  }
ONEFOLD_VERB(layer_norm, row_parameters<detail::row_element<Data>>)
ONEFOLD_VERB(rms_norm, row_parameters<detail::row_element<Data>>)
ONEFOLD_VERB(normalize, normalization)
#undef ONEFOLD_VERB
/// @endcond

/// (x - mean) / standard deviation (of the population) along each line; NaN where that is zero. Throws as layer_norm.
template <verb_argument Data>
result_array<detail::row_element<Data>> standardize(const Data& data, const options& how = {}) {
  return detail::rows_of(row_operation::standardize, data, -1, {}, how);
}
/// The same along an axis.
template <axes_argument Data>
result_array<detail::row_element<Data>> standardize(const Data& data, row_axis axis, const options& how = {}) {
  return detail::rows_of(row_operation::standardize, data, axis, {}, how);
}
/// The same into memory of the caller's.
template <axes_argument Data>
void standardize(const Data& data, row_axis axis, const row_output<detail::row_element<Data>>& out,
                 const options& how = {}) {
  detail::rows_into(row_operation::standardize, data, axis, out, {}, how);
}
/// The same along the last axis: standardize(x, x) works in place.
template <detail::has_lines Data>
void standardize(const Data& data, const row_output<detail::row_element<Data>>& out, const options& how = {}) {
  detail::rows_into(row_operation::standardize, data, -1, out, {}, how);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
