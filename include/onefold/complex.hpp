// Reductions of complex numbers: sum(x), mean(x), product(x), sum_squares(x) and norm2(x) of ranges and views of
// std::complex<float> and std::complex<double>, over axes too.
//
// Their parts are one more axis of real numbers: the parts of a sum or mean have the bits of the reductions of the real
// and of the imaginary parts alone; sum_squares and norm2 have those of the reduction of all parts as they lie in
// memory. A product is a fold of its own, over the elements.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include "onefold/recipe.hpp"
#include "onefold/shapes.hpp"

namespace onefold {
namespace detail {

/// The fold of products of complex numbers whose parts are of this type, f32 or f64.
ONEFOLD_API const recipe& complex_products(dtype part);

inline namespace ONEFOLD_LEVEL {

/// The type of the parts of a complex number.
template <class T>
struct part_of;
template <>
struct part_of<std::complex<float>> {
  using type = float;
};
template <>
struct part_of<std::complex<double>> {
  using type = double;
};

/// A complex number whose parts are elements.
template <class T>
concept complex_element = requires {
  typename part_of<T>::type;
};

/// Whether an operation reduces real and imaginary parts separately.
template <class Op>
inline constexpr bool reduces_parts = std::is_same_v<Op, op::sum> || std::is_same_v<Op, op::mean>;

/// The product of complex numbers, an operation on the elements themselves: (a + bi)(c + di) = (ac - bd) + (ad + bc)i,
/// in f64 without further scaling, and rounded once to the parts' type in the end. A NaN becomes the canonical one. The
/// library has its fold.
struct complex_product {
  static constexpr const char* name = "product";
};

template <complex_element T>
struct custom<complex_product, T> {
  using result = T;
  static constexpr bool complete = true, takes_init = false;
  static const recipe& record() { return complex_products(dtype_of<typename part_of<T>::type>); }
  struct described {};
};

template <complex_element T>
struct complex_reduction<T, op::product> {
  using result = T;
};
template <complex_element T, class Op>
requires reduces_parts<Op>
struct complex_reduction<T, Op> {
  using part_result = default_result<typename part_of<T>::type, Op>;
  using result = std::complex<part_result>;
};
template <complex_element T, class Op>
requires(std::is_same_v<Op, op::sum_squares> || std::is_same_v<Op, op::norm2>) struct complex_reduction<T, Op> {
  using result = default_result<typename part_of<T>::type, Op>;
};

template <complex_element T, class Op>
requires reduces_complex<T, Op>
struct default_result_of<T, Op> {
  using type = typename complex_reduction<T, Op>::result;
};

/// Ranges, views and what a view is made from, of complex numbers.
template <class Data>
concept complex_view = viewable<Data> && complex_element<viewed_element<Data>>;
template <class Data>
concept complex_range =
    contiguous_elements<Data> && !viewable<Data> && complex_element<std::ranges::range_value_t<Data>>;

/// The real numbers that a view of complex numbers consists of, with one more axis for the parts of each. Throws
/// invalid_argument for a view that has as many axes as a view can have.
template <class T>
array_view<typename part_of<T>::type> parts_of(const array_view<T>& view) {
  using Part = typename part_of<T>::type;
  if (view.rank() == most_axes)
    throw error(error_code::invalid_argument, "a view of complex numbers has at most " + std::to_string(most_axes - 1) +
                                                  " axes, since their parts are one more; this one has " +
                                                  std::to_string(view.rank()));
  extents e;
  strides s;
  for (const axis& a : view.axes()) {
    e.push_back(a.extent);
    s.push_back(2 * a.stride);
  }
  e.push_back(2);
  s.push_back(1);
  return {reinterpret_cast<const Part*>(view.data()), e, s};  // [complex.numbers] 4 defines this
}

/// The axes of the parts to reduce over: the same, and that of the parts if an operation reduces both at once.
inline over axes_of_parts(const over& along, std::size_t rank, bool both) {
  axis_numbers<int> axes;
  const auto count = static_cast<int>(rank);
  if (along.axes.all())
    for (int i = 0; i < count; ++i) axes.push_back(i);
  else
    for (const int i : along.axes.numbers()) axes.push_back(i < 0 ? i + count : i);
  if (both) axes.push_back(count);
  return {.axes = std::span<const int>(axes.begin(), axes.size())};
}

[[noreturn]] inline void throw_no_complex_init(const char* operation) {
  throw error(error_code::invalid_argument, std::string(operation) + " of complex numbers takes no initial value");
}

/// The reduction of complex numbers into `out`.
template <class T, class Op, class R>
void reduce_complex(const array_view<T>& view, const over& along, std::span<R> out, const options& how, const Op& op,
                    run_report* ran) {
  using Part = typename part_of<T>::type;
  static_cast<void>(described<T, Op>{});
  if constexpr (std::is_same_v<Op, op::product>) {
    static_assert(std::is_same_v<R, T>, "onefold: the product of complex numbers has their type");
    problem shape;
    make_problem(view.axes(), along, &shape);
    if (is_given(how.init)) throw_no_complex_init(Op::name);
    reduce_view<T, complex_product, T>(view, shape, out, how, {}, ran);
  } else if constexpr (reduces_complex<T, Op>) {
    const array_view<Part> parts = parts_of(view);
    problem shape;
    make_problem(parts.axes(), axes_of_parts(along, view.rank(), !reduces_parts<Op>), &shape);
    if constexpr (!reduces_parts<Op>) {
      reduce_view<Part, Op, R>(parts, shape, out, how, op, ran);
    } else {
      static_assert(complex_element<R>, "onefold: sum and mean of complex numbers are complex numbers");
      using of_part = typename part_of<R>::type;
      if (is_given(how.init)) throw_no_complex_init(Op::name);
      reduce_view<Part, Op, of_part>(parts, shape, {reinterpret_cast<of_part*>(out.data()), 2 * out.size()}, how, op,
                                     ran);
    }
  } else if constexpr (!cataloged_operation<Op>) {  // it takes the elements as they are
    problem shape;
    make_problem(view.axes(), along, &shape);
    reduce_view<T, Op, R>(view, shape, out, how, op, ran);
  }
}

/// How complex numbers are reduced.
template <class Data, class T>
struct complex_source {
  using element_type = T;
  static constexpr bool has_axes = !contiguous_elements<Data> || viewable<Data>;
  template <class R>
  using results = R;

  template <class Op, class R>
  static R reduce(const Data& data, const options& how, const Op& op, run_report* ran) {
    R result{};
    reduce_complex<T, Op>(array_view(data), over{}, std::span<R>(&result, 1), how, op, ran);
    return result;
  }
  template <class Op, class R>
  static result_array<R> reduce(const Data& data, const over& along, const options& how, const Op& op,
                                run_report* ran) {
    const array_view<T> view(data);
    problem shape;
    result_array<R> out(make_problem(view.axes(), along, &shape));
    reduce_complex<T, Op>(view, along, std::span<R>(out.data(), out.size()), how, op, ran);
    return out;
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {

/// Ranges of complex numbers are reduced to one result.
template <detail::complex_range Range>
struct source_traits<Range> : detail::complex_source<Range, std::ranges::range_value_t<Range>> {};
/// Views of them too, whole or over some axes.
template <detail::complex_element T>
struct source_traits<array_view<T>> : detail::complex_source<array_view<T>, T> {};
/// So is what a view is made from.
template <detail::complex_view M>
struct source_traits<M> : detail::complex_source<M, viewed_element<M>> {};
/// And a range with axes, as results are.
template <detail::complex_view M>
requires contiguous_elements<M>
struct source_traits<M> : detail::complex_source<M, viewed_element<M>> {
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
