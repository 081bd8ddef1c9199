// Order statistics of ranges, views and computed elements, by selection: median, quantile, quantiles, nth_smallest.
// What is selected does not depend on an order, so the bits are the same everywhere by law.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "onefold/detail/order_statistics.hpp"
#include "onefold/detail/sortable.hpp"
#include "onefold/detail/verb.hpp"
#include "onefold/map_reduce.hpp"
#include "onefold/options.hpp"
#include "onefold/source.hpp"
#include "onefold/summary.hpp"

namespace onefold {

inline namespace ONEFOLD_LEVEL {

/// The type of a quantile of elements T: f64 of f64 and integers, else f32.
template <class T>
using quantile_result = default_result<T, op::mean>;

/// Which quantiles: `{0.25, 0.75}`, or a contiguous range of `double`, which must outlive it.
class quantile_list {
 public:
  /// In braces.
  constexpr quantile_list(std::initializer_list<double> list) : list_(list.begin(), list.size()) {}
  /// Those of a vector, an array or a span.
  template <class List>
  requires(std::is_convertible_v<const List&, std::span<const double>>) constexpr quantile_list(const List& list)
      : list_(list) {}
  /// The quantiles, each from 0 to 1.
  constexpr std::span<const double> values() const { return list_; }

 private:
  std::span<const double> list_;
};

}  // namespace ONEFOLD_LEVEL
namespace detail {
inline namespace ONEFOLD_LEVEL {

/// The quantiles of elements, of which `nans` are left out, because they are NaN.
template <class T>
std::vector<quantile_result<T>> quantiles_of(std::span<const T> data, std::int64_t nans, std::span<const double> list,
                                             quantile_method method, const options& how) {
  std::vector<quantile_result<T>> results(list.size());
  select_quantiles(element_dtype<T>, data.data(), std::ssize(data), std::ssize(data) - nans, list, method,
                   results.data(), how, nullptr);
  return results;
}

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {

/// The element at a position, from 0, of the elements sorted in ascending order: nth_smallest(x, 0) has the value of
/// min(x). Takes ranges, views, computed elements and pieces; elements that are not neighbors in C order are stored
/// first. -0 < +0; if there is a NaN, the result is the canonical NaN. On the CPU. Throws onefold::error for no
/// elements (empty_input), for a position that there is not and an initial value (invalid_argument), and where backend
/// cuda is asked for or the data is in device memory (unsupported).
template <verb_argument Data>
detail::element_of<Data> nth_smallest(const Data& data, std::int64_t position, const options& how = {}) {
  using T = detail::element_of<Data>;
  const auto from = detail::sortable_elements(data);
  const std::span<const T> elements = from.span();
  const std::int64_t last = std::ssize(elements) - 1, positions[] = {position, last > position ? last : position};
  T values[2];
  detail::select_ranks(detail::element_dtype<T>, elements.data(), std::ssize(elements), positions, values, how,
                       nullptr);
  return detail::has_nan_bits(values[1]) ? values[1] : values[0];
}

/// The quantiles of a range or a view, in the order of `list`, each from 0 to 1: with h = q (n - 1) in f64, the number
/// between the elements at the positions below and above h. By the method linear that is a + (b - a) t, from t = 0.5 on
/// b - (b - a) (1 - t), where t is the fraction of h: each operation in f64, rounded to the result's type at the end;
/// exactly a where t = 0 or a = b, the infinity between a number and an infinity, NaN between both infinities. If there
/// is a NaN, all results are NaN. Throws as nth_smallest does; for q outside of 0 to 1 invalid_argument.
template <verb_argument Data>
std::vector<quantile_result<detail::element_of<Data>>> quantiles(const Data& data, const quantile_list& list,
                                                                 quantile_method method = quantile_method::linear,
                                                                 const options& how = {}) {
  return detail::quantiles_of(detail::sortable_elements(data).span(), 0, list.values(), method, how);
}
/// The same by the method linear: quantiles(x, {0.25, 0.75}, {.threads = 2}).
template <verb_argument Data>
std::vector<quantile_result<detail::element_of<Data>>> quantiles(const Data& data, const quantile_list& list,
                                                                 const options& how) {
  return onefold::quantiles(data, list, quantile_method::linear, how);
}

/// One quantile: quantiles(data, {q}).
template <verb_argument Data>
quantile_result<detail::element_of<Data>> quantile(const Data& data, double q,
                                                   quantile_method method = quantile_method::linear,
                                                   const options& how = {}) {
  return onefold::quantiles(data, std::span(&q, 1), method, how).front();
}
/// The same by the method linear.
template <verb_argument Data>
quantile_result<detail::element_of<Data>> quantile(const Data& data, double q, const options& how) {
  return onefold::quantile(data, q, quantile_method::linear, how);
}

/// The median: the quantile 0.5, which of an even number of elements is in the middle between two.
template <verb_argument Data>
quantile_result<detail::element_of<Data>> median(const Data& data, const options& how = {}) {
  return detail::as_verb("median", [&] { return onefold::quantile(data, 0.5, how); });
}

/// The quantile of the elements that are not NaN. Throws as quantile does; if all are NaN, empty_input.
template <verb_argument Data>
quantile_result<detail::element_of<Data>> nanquantile(const Data& data, double q,
                                                      quantile_method method = quantile_method::linear,
                                                      const options& how = {}) {
  const auto from = detail::sortable_elements(data);
  const auto elements = from.span();
  return detail::quantiles_of(elements, detail::count_nan(detail::whole_data{}, elements, how), {&q, 1}, method, how)
      .front();
}
/// The same by the method linear.
template <verb_argument Data>
quantile_result<detail::element_of<Data>> nanquantile(const Data& data, double q, const options& how) {
  return onefold::nanquantile(data, q, quantile_method::linear, how);
}

/// The median of the elements that are not NaN: the nanquantile 0.5.
template <verb_argument Data>
quantile_result<detail::element_of<Data>> nanmedian(const Data& data, const options& how = {}) {
  return detail::as_verb("nanmedian", [&] { return onefold::nanquantile(data, 0.5, how); });
}

/// @cond
// Of a function of the elements.
template <detail::function_argument Data, detail::function_of_elements<Data> F>
auto median(const Data& data, F f, const options& how = {}) {
  return onefold::median(mapped(std::move(f), data), how);
}
template <detail::function_argument Data, detail::function_of_elements<Data> F>
auto nanmedian(const Data& data, F f, const options& how = {}) {
  return onefold::nanmedian(mapped(std::move(f), data), how);
}
template <detail::function_argument Data, detail::function_of_elements<Data> F>
auto nth_smallest(const Data& data, F f, std::int64_t position, const options& how = {}) {
  return onefold::nth_smallest(mapped(std::move(f), data), position, how);
}
// Of a list in braces.
template <class T, std::size_t n>
auto nth_smallest(const T (&elements)[n], std::int64_t position, const options& how = {}) {
  return onefold::nth_smallest(std::span<const T>(elements), position, how);
}
#define ONEFOLD_VERB(verb, which)                                                             \
  template <detail::function_argument Data, detail::function_of_elements<Data> F>             \
  auto verb(const Data& data, F f, which q, quantile_method method = quantile_method::linear, \
            const options& how = {}) {                                                        \
    return onefold::verb(mapped(std::move(f), data), q, method, how);                         \
  }                                                                                           \
  template <detail::function_argument Data, detail::function_of_elements<Data> F>             \
  auto verb(const Data& data, F f, which q, const options& how) {                             \
    return onefold::verb(mapped(std::move(f), data), q, quantile_method::linear, how);        \
  }                                                                                           \
  template <class T, std::size_t n>                                                           \
  auto verb(const T(&elements)[n], which q, quantile_method method = quantile_method::linear, \
            const options& how = {}) {                                                        \
    return onefold::verb(std::span<const T>(elements), q, method, how);                       \
  }                                                                                           \
  template <class T, std::size_t n>                                                           \
  auto verb(const T(&elements)[n], which q, const options& how) {                             \
    return onefold::verb(std::span<const T>(elements), q, quantile_method::linear, how);      \
  }
ONEFOLD_VERB(quantile, double)
ONEFOLD_VERB(quantiles, const quantile_list&)
ONEFOLD_VERB(nanquantile, double)
#undef ONEFOLD_VERB
// Diagnostics for several quantiles, a fraction, axes, functions elsewhere, and iterators.
template <verb_argument Data>
double quantile(const Data&, const quantile_list&, const options& = {}) {
  static_assert(!verb_argument<Data>, "onefold: for several quantiles write quantiles(x, {0.1, 0.9})");
  return {};
}
template <axes_argument Data>
double quantile(const Data&, double, const std::type_identity_t<detail::function_of_one<Data>>&) {
  detail::refuse_order_of<Data>();
  return {};
}
template <verb_argument Data, std::floating_point Number>
int nth_smallest(const Data&, Number, const options& = {}) {
  static_assert(!std::floating_point<Number>,
                "onefold: a position is an integer: write nth_smallest(x, 10), or quantile(x, 0.1)");
  return {};
}
template <axes_argument Data>
double median(const Data&, const axis_list&, const options& = {}) {
  detail::refuse_axes<Data>();
  return {};
}
template <axes_argument Data>
double nanmedian(const Data&, const axis_list&, const options& = {}) {
  detail::refuse_axes<Data>();
  return {};
}
template <axes_argument Data>
double nth_smallest(const Data&, const detail::anything&, std::int64_t, const options& = {}) {
  detail::refuse_order_of<Data>();
  return {};
}
template <axes_argument Data>
double quantile(const Data&, const detail::anything&, double, quantile_method = {}, const options& = {}) {
  detail::refuse_order_of<Data>();
  return {};
}
template <axes_argument Data>
double nanquantile(const Data&, const detail::anything&, double, quantile_method = {}, const options& = {}) {
  detail::refuse_order_of<Data>();
  return {};
}
template <axes_argument Data>
std::vector<double> quantiles(const Data&, const detail::anything&, const quantile_list&, quantile_method = {},
                              const options& = {}) {
  detail::refuse_order_of<Data>();
  return {};
}
/// @endcond

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
