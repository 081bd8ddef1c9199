// Verbs of vectors, of whole arrays and along axes: dot, cosine_similarity, distance, weighted_mean, norm1, norm_inf.
//
// Each is a reduction of computed elements (map_reduce.hpp), with its bits. An array is what `mapped` takes. Two have
// the same extents, and floating-point numbers, integers of the same type, or one of them integers, which are
// converted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "onefold/detail/result_forms.hpp"
#include "onefold/detail/vector_functions.hpp"
#include "onefold/exact_dot.hpp"
#include "onefold/map_reduce.hpp"
#include "onefold/norm.hpp"

namespace onefold {
namespace detail {
inline namespace ONEFOLD_LEVEL {

/// The type of an array's elements, and of computed ones.
template <class X>
struct array_element {
  using type = std::remove_cvref_t<decltype(detail::element_at(std::declval<const place_of<const X&>&>(), 0))>;
};
template <class X>
requires is_mapped<X>
struct array_element<X> {
  using type = typename X::element_type;
};
template <class X>
using vector_element = canonical_t<typename array_element<X>::type>;

/// The type in which the elements of two arrays are multiplied and subtracted.
template <class X, class Y>
using vector_type = typename common_working<vector_element<X>, vector_element<Y>>::type;

/// What f returns for two arrays, of which one with integers is converted where the other one has floating-point
/// numbers; on CPUs then. Errors name the verb.
template <class X, class Y, class Function>
auto as_verb_of_two(const char* verb, const X& x, const Y& y, const Function& f) {
  return as_verb(verb, [&] {
    using V = vector_type<X, Y>;
    if constexpr (is_float<V> && is_integer<vector_element<X>>)
      return f(mapped(number_as<V>{}, x), y);
    else if constexpr (is_float<V> && is_integer<vector_element<Y>>)
      return f(x, mapped(number_as<V>{}, y));
    else
      return f(x, y);
  });
}

/// The type where results are always floating-point numbers: f64 for integers.
template <class V>
using real_of = std::conditional_t<is_float<V>, V, double>;

/// Calls f with a value of the type in which products are made for a sum of them: at accuracy exact one that holds them
/// exactly, which is f64 for f32 and narrower.
template <class V, class Function>
decltype(auto) with_product_type(const options& how, const Function& f) {
  if constexpr (std::is_same_v<V, float>)
    if (how.accuracy == accuracy::exact) return f(double{});
  return f(V{});
}

/// The results of verbs as numbers in a row.
inline std::span<const double> all_of(const double& x) { return {&x, 1}; }
inline std::span<const double> all_of(const result_array<double>& x) { return {x.data(), x.size()}; }

/// What the results of verbs are written to, in the form of a reduction's.
template <class R>
R results_like(const double&) {
  return {};
}
template <class R>
result_array<R> results_like(const result_array<double>& x) {
  return result_array<R>(x.extents());
}
template <class R>
R* first_of(R& x) {
  return &x;
}
template <class R>
R* first_of(result_array<R>& x) {
  return x.data();
}

inline void require_no_init(const char* verb, const options& how) {
  if (!std::holds_alternative<std::monostate>(how.init.value()))
    throw error(error_code::invalid_argument, std::string(verb) + " takes no initial value");
}

template <class Form, class X, class Y>
auto cosine_in(const Form& form, const X& x, const Y& y, const options& how) {
  require_no_init("cosine_similarity", how);
  using R = real_of<vector_type<X, Y>>;
  const auto sum_of = [&](const auto& products) { return form.template reduce<op::sum, double>(products, how); };
  const auto squares = [](const auto& a) {
    if constexpr (is_mapped<std::remove_cvref_t<decltype(a)>>)  // its arrays count once
      return mapped([](const auto& v) { return product_as<double>{}(v, v); }, a);
    else
      return mapped(product_as<double>{}, a, a);
  };
  const auto xy = sum_of(mapped(product_as<double>{}, x, y)), xx = sum_of(squares(x)), yy = sum_of(squares(y));
  auto out = results_like<R>(xy);
  cosines(all_of(xy), all_of(xx), all_of(yy), first_of(out));
  return out;
}

template <class Form, class X, class W>
auto weighted_mean_in(const Form& form, const X& x, const W& weights, const options& how) {
  require_no_init("weighted_mean", how);
  using V = real_of<vector_type<X, W>>;
  options in_f64 = how;
  if (std::is_same_v<V, float> && how.accuracy != accuracy::exact) in_f64.accuracy = accuracy::wide;
  const auto sums = with_product_type<V>(in_f64, [&](auto product) {
    return form.template reduce<op::sum, double>(mapped(product_as<decltype(product)>{}, x, weights), in_f64);
  });
  using W1 = vector_element<W>;
  using weight = std::conditional_t<is_integer<W1> && sizeof(W1) == 8, number_as<double>, same_value>;  // sums may wrap
  const auto by = form.template reduce<op::sum, double>(mapped(weight{}, weights), in_f64);
  auto out = results_like<V>(sums);
  quotients(all_of(sums), all_of(by), first_of(out));
  return out;
}

/// The options of a maximum of magnitudes, which of nothing is 0.
inline options from_zero(options how) {
  if (std::holds_alternative<std::monostate>(how.init.value())) how.init = 0;
  return how;
}

template <class Form, class X, class Y>
auto distance_in(const Form& form, const X& x, const Y& y, norm kind, const options& how) {
  using V = vector_type<X, Y>;
  using R = real_of<V>;
  const auto differences = mapped(distance_as<V>{}, x, y);
  if (kind == norm::l1) return form.template reduce<op::sum, R>(differences, how);
  if (kind == norm::l2) return form.template reduce<op::norm2, R>(differences, how);
  if constexpr (is_float<V>)
    return form.template reduce<op::max, R>(differences, from_zero(how));
  else  // an extreme has the type of its elements
    return form.template reduce<op::max, R>(mapped(real_distance_as<V>{}, x, y), from_zero(how));
}

/// Elements of f64 that lie in memory.
template <class X>
concept f64_in_memory = !is_mapped<X> && std::is_same_v<place_of<const X&>, const double*>;

/// A dot product of f64 at accuracy exact.
template <class X, class Y>
double exact_dot_in(const whole_data& form, const X& x, const Y& y, const options& how) {
  if constexpr (f64_in_memory<X> && f64_in_memory<Y>) {
    const auto a = place(x), b = place(y);  // vectors whose elements are neighbors need no copies, and a GPU takes them
    const auto is_line = [](const mapped_axes& lies) {
      return lies.rank == 1 && (lies.axes[0].stride == 1 || lies.axes[0].extent <= 1);
    };
    const auto elements = [](const auto& p) {
      return std::span<const double>(p.first, static_cast<std::size_t>(p.axes.axes[0].extent));
    };
    if (is_line(a.axes) && is_line(b.axes)) return exact_dot<double>(elements(a), elements(b), how);
  }
  return exact_dot_of<double, 1>(form, mapped(as_factors{}, x, y), how);
}
/// The same along some axes.
template <class X, class Y>
result_array<double> exact_dot_in(const data_along& form, const X& x, const Y& y, const options& how) {
  return exact_dot_of<double, 1>(form, mapped(as_factors{}, x, y), how);
}

template <class Form, class X, class Y>
auto dot_in(const Form& form, const X& x, const Y& y, const options& how) {
  using V = vector_type<X, Y>;
  if constexpr (std::is_same_v<V, double>)
    if (how.accuracy == accuracy::exact) return exact_dot_in(form, x, y, how);
  return with_product_type<V>(how, [&](auto product) {
    return form.template reduce<op::sum, default_result<V, op::sum>>(mapped(product_as<decltype(product)>{}, x, y),
                                                                     how);
  });
}

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {

/// The dot product: the `sum` of x[i] y[i], as f64 for f64, i64 or u64 for integers, which wraps, else f32. Each
/// product is rounded once, to f32 of f32 (exact of f16; of bf16, exact where it is in f32's range), to f64 if an array
/// is f64; of integers it is exact in 32 bits where elements have up to 16, else it wraps in 64. Where only one array
/// has integers, they are converted first: to f64, exactly up to 2^53 and else rounded once, so that the result is that
/// of an array of f64; or to f32 if they have up to 16 bits and the other array is f32 or narrower. That is on CPUs, as
/// in all verbs of two vectors. With weights it is the weighted sum. At accuracy exact the result is the exact dot
/// product of floating-point elements, rounded once, as by exact_dot; where an array is f64, of whole vectors without
/// strides on all backends, else on CPUs. For no elements it is 0. Throws as map_reduce does.
template <detail::function_argument X, detail::function_argument Y>
auto dot(const X& x, const Y& y, const options& how = {}) {
  return detail::as_verb_of_two(
      "dot", x, y, [&](const auto& a, const auto& b) { return detail::dot_in(detail::whole_data{}, a, b, how); });
}
/// The same along some axes.
template <detail::axes_function_argument X, detail::axes_function_argument Y>
auto dot(const X& x, const Y& y, const axis_list& axes, const options& how = {}) {
  return detail::as_verb_of_two(
      "dot", x, y, [&](const auto& a, const auto& b) { return detail::dot_in(detail::data_along{axes}, a, b, how); });
}

/// The cosine of the angle between two vectors: xy / sqrt(xx yy) of the dot products xy, xx and yy, between -1 and 1,
/// as f64 for f64 and integers, else f32. Products, sums and the quotient are in f64; products of f32 and narrower
/// elements are exact there. It is exactly 1 for a vector and itself, 0 where a vector is zero or all its squares
/// vanish, and NaN with a NaN, an infinity, or where the sum of squares overflows. Throws as map_reduce does; there is
/// no initial value.
template <detail::function_argument X, detail::function_argument Y>
auto cosine_similarity(const X& x, const Y& y, const options& how = {}) {
  return detail::as_verb_of_two("cosine_similarity", x, y, [&](const auto& a, const auto& b) {
    return detail::cosine_in(detail::whole_data{}, a, b, how);
  });
}
/// The same along some axes.
template <detail::axes_function_argument X, detail::axes_function_argument Y>
auto cosine_similarity(const X& x, const Y& y, const axis_list& axes, const options& how = {}) {
  return detail::as_verb_of_two("cosine_similarity", x, y, [&](const auto& a, const auto& b) {
    return detail::cosine_in(detail::data_along{axes}, a, b, how);
  });
}

/// The weighted mean: the `sum` of x[i] weights[i] over the `sum` of weights[i], as f64 for f64 and integers, else f32.
/// Products are as in dot, of integers in f64; both sums and their quotient are in f64. Weights that add up to zero,
/// and no elements, give what IEEE division does: an infinity or NaN. Throws as map_reduce does; there is no initial
/// value.
template <detail::function_argument X, detail::function_argument W>
auto weighted_mean(const X& x, const W& weights, const options& how = {}) {
  return detail::as_verb_of_two("weighted_mean", x, weights, [&](const auto& a, const auto& b) {
    return detail::weighted_mean_in(detail::whole_data{}, a, b, how);
  });
}
/// The same along some axes.
template <detail::axes_function_argument X, detail::axes_function_argument W>
auto weighted_mean(const X& x, const W& weights, const axis_list& axes, const options& how = {}) {
  return detail::as_verb_of_two("weighted_mean", x, weights, [&](const auto& a, const auto& b) {
    return detail::weighted_mean_in(detail::data_along{axes}, a, b, how);
  });
}

/// The distance of two vectors: a norm of their difference, as f64 for f64 and integers, else f32: the `sum` of |x[i] -
/// y[i]|, their `norm2`, or the largest. Each difference is rounded once, as a product of dot is; of integers it is
/// exact. For no elements it is 0. Throws as map_reduce does.
template <detail::function_argument X, detail::function_argument Y>
auto distance(const X& x, const Y& y, norm kind = norm::l2, const options& how = {}) {
  return detail::as_verb_of_two("distance", x, y, [&](const auto& a, const auto& b) {
    return detail::distance_in(detail::whole_data{}, a, b, kind, how);
  });
}
/// The same by the norm l2: distance(x, y, {.threads = 2}).
template <detail::function_argument X, detail::function_argument Y>
auto distance(const X& x, const Y& y, const options& how) {
  return onefold::distance(x, y, norm::l2, how);
}
/// The same along some axes.
template <detail::axes_function_argument X, detail::axes_function_argument Y>
auto distance(const X& x, const Y& y, const axis_list& axes, norm kind = norm::l2, const options& how = {}) {
  return detail::as_verb_of_two("distance", x, y, [&](const auto& a, const auto& b) {
    return detail::distance_in(detail::data_along{axes}, a, b, kind, how);
  });
}

/// The same by the norm l2.
template <detail::axes_function_argument X, detail::axes_function_argument Y>
auto distance(const X& x, const Y& y, const axis_list& axes, const options& how) {
  return onefold::distance(x, y, axes, norm::l2, how);
}
/// The same of two functions of the elements of one array, or of members: `distance(orders, &order::price,
/// &order::cost, norm::l1)`.
template <detail::function_argument Data, detail::function_of_elements<Data> F, detail::function_of_elements<Data> G>
auto distance(const Data& data, F f, G g, norm kind, const options& how = {}) {
  return onefold::distance(onefold::mapped(std::move(f), data), onefold::mapped(std::move(g), data), kind, how);
}
/// The same of a list of elements in braces, or of two.
template <class X, class Y, std::size_t n, std::size_t m>
auto distance(const X (&x)[n], const Y (&y)[m], norm kind, const options& how = {}) {
  return onefold::distance(std::span<const X>(x), std::span<const Y>(y), kind, how);
}
/// The same of a list and an array.
template <class X, std::size_t n, verb_argument Y>
auto distance(const X (&x)[n], const Y& y, norm kind, const options& how = {}) {
  return onefold::distance(std::span<const X>(x), y, kind, how);
}
/// The same of an array and a list.
template <verb_argument X, class Y, std::size_t m>
auto distance(const X& x, const Y (&y)[m], norm kind, const options& how = {}) {
  return onefold::distance(x, std::span<const Y>(y), kind, how);
}

/// The sum of magnitudes: `sum` of |x[i]|, as f64 of f64, u64 of integers, else f32. Throws as map_reduce does.
template <detail::function_argument X>
auto norm1(const X& x, const options& how = {}) {
  static_cast<void>(detail::explained_vector<detail::vector_element<X>>{});
  return detail::as_verb("norm1", [&] { return map_reduce<op::sum>(detail::absolute_value{}, x, how); });
}
/// The same along some axes.
template <detail::axes_function_argument X>
auto norm1(const X& x, const axis_list& axes, const options& how = {}) {
  static_cast<void>(detail::explained_vector<detail::vector_element<X>>{});
  return detail::as_verb("norm1",
                         [&] { return map_reduce<op::sum>(detail::absolute_value{}, x, over{.axes = axes}, how); });
}

/// The largest magnitude: `max` of |x[i]|, in the type of the elements, of integers in the unsigned one. For no
/// elements it is 0; with a NaN it is NaN. Throws as map_reduce does.
template <detail::function_argument X>
auto norm_inf(const X& x, const options& how = {}) {
  static_cast<void>(detail::explained_vector<detail::vector_element<X>>{});
  return detail::as_verb("norm_inf",
                         [&] { return map_reduce<op::max>(detail::absolute_value{}, x, detail::from_zero(how)); });
}
/// The same along some axes.
template <detail::axes_function_argument X>
auto norm_inf(const X& x, const axis_list& axes, const options& how = {}) {
  static_cast<void>(detail::explained_vector<detail::vector_element<X>>{});
  return detail::as_verb("norm_inf", [&] {
    return map_reduce<op::max>(detail::absolute_value{}, x, over{.axes = axes}, detail::from_zero(how));
  });
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
