// Order statistics of contiguous ranges, by selection: median, quantile, quantiles, nth_smallest. What is selected does
// not depend on an order, so the bits are the same everywhere by law.
#pragma once

#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "onefold/detail/order_statistics.hpp"
#include "onefold/options.hpp"
#include "onefold/source.hpp"
#include "onefold/summary.hpp"

namespace onefold {

inline namespace ONEFOLD_LEVEL {

/// The type of a quantile of elements T: f64 of f64 and integers, else f32.
template <class T>
using quantile_result = default_result<T, op::mean>;

}  // namespace ONEFOLD_LEVEL
namespace detail {
inline namespace ONEFOLD_LEVEL {

template <class Range>
using element_of = typename source_traits<Range>::element_type;

/// The quantiles of the first `numbers` of n elements in order; from there on they are NaN.
template <contiguous_elements Range>
std::vector<quantile_result<element_of<Range>>> quantiles_of(const Range& data, std::int64_t nans,
                                                             std::span<const double> list, quantile_method method,
                                                             const options& how) {
  const auto n = static_cast<std::int64_t>(std::size(data));
  std::vector<quantile_result<element_of<Range>>> results(list.size());
  select_quantiles(dtype_of<element_of<Range>>, std::data(data), n, n - nans, list, method, results.data(), how);
  return results;
}

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {

/// The element at `rank`, from 0, if the range were sorted in ascending order: nth_smallest(x, 0) has the value of
/// min(x). -0 < +0; if there is a NaN, the result is the canonical NaN. On the CPU. Throws onefold::error for no
/// elements (empty_input), for a rank that the range does not have (invalid_argument), and where backend cuda is asked
/// for or the data is in device memory (unsupported).
template <contiguous_elements Range>
detail::element_of<Range> nth_smallest(const Range& data, std::int64_t rank, const options& how = {}) {
  using T = detail::element_of<Range>;
  const auto n = static_cast<std::int64_t>(std::size(data));
  const std::int64_t ranks[] = {rank, n - 1 > rank ? n - 1 : rank};
  T values[2];
  detail::select_ranks(dtype_of<T>, std::data(data), n, ranks, values, how);
  return detail::is_nan(values[1]) ? values[1] : values[0];
}

/// The quantiles of a range, in the order of `list`, each from 0 to 1: with h = q (n - 1) in f64, the number between
/// the elements of the ranks below and above h. By the method linear that is a + (b - a) t, from t = 0.5 on
/// b - (b - a) (1 - t), where t is the fraction of h: each operation in f64, rounded to the result's type at the end;
/// exactly a where t = 0 or a = b, the infinity between a number and an infinity, NaN between both infinities. If there
/// is a NaN, all results are NaN. Throws as nth_smallest does; for q outside of 0 to 1 invalid_argument.
template <contiguous_elements Range>
std::vector<quantile_result<detail::element_of<Range>>> quantiles(const Range& data, std::span<const double> list,
                                                                  quantile_method method = quantile_method::linear,
                                                                  const options& how = {}) {
  return detail::quantiles_of(data, 0, list, method, how);
}

/// One quantile: quantiles(data, {q}).
template <contiguous_elements Range>
quantile_result<detail::element_of<Range>> quantile(const Range& data, double q,
                                                    quantile_method method = quantile_method::linear,
                                                    const options& how = {}) {
  return quantiles(data, std::span(&q, 1), method, how).front();
}

/// The median: the quantile 0.5, which of an even number of elements is in the middle between two.
template <contiguous_elements Range>
quantile_result<detail::element_of<Range>> median(const Range& data, const options& how = {}) {
  return quantile(data, 0.5, quantile_method::linear, how);
}

/// The quantile of the elements that are not NaN. Throws as quantile does; if all are NaN, empty_input.
template <contiguous_elements Range>
quantile_result<detail::element_of<Range>> nanquantile(const Range& data, double q,
                                                       quantile_method method = quantile_method::linear,
                                                       const options& how = {}) {
  return detail::quantiles_of(data, detail::count_nan(data, how), {&q, 1}, method, how).front();
}

/// The median of the elements that are not NaN: the nanquantile 0.5.
template <contiguous_elements Range>
quantile_result<detail::element_of<Range>> nanmedian(const Range& data, const options& how = {}) {
  return nanquantile(data, 0.5, quantile_method::linear, how);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
