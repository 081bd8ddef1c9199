// Verbs of vectors of complex numbers, of whole arrays and along axes: dot, norm1, norm_inf. (norm2 is that of all
// parts: complex.hpp.)
#pragma once

#include <complex>
#include <type_traits>

#include "onefold/complex.hpp"
#include "onefold/vectors.hpp"

namespace onefold {
namespace detail {

/// sqrt(x² + y²), without overflow on the way; infinite if x or y is. Whatever the flags of the caller's file.
ONEFOLD_API double modulus(double x, double y) noexcept;

inline namespace ONEFOLD_LEVEL {

/// An array of complex numbers that lies in memory, and the same where axes are named.
template <class X>
concept complex_vector = placeable<X> && std::is_pointer_v<place_of<const X&>> &&
    complex_element<std::remove_cv_t<std::remove_pointer_t<place_of<const X&>>>>;
template <class X>
concept complex_axes = axes_function_argument<X> && complex_vector<X>;

/// The real parts of an array of complex numbers, or with 1 the imaginary ones.
template <class X>
auto part_view(const X& x, int part) {
  const auto view = array_view(x);
  using Part = typename part_of<std::remove_cvref_t<decltype(*view.data())>>::type;
  extents e;
  strides s;
  for (const axis& a : view.axes()) {
    e.push_back(a.extent);
    s.push_back(2 * a.stride);
  }
  const auto* const parts = reinterpret_cast<const Part*>(view.data());  // [complex.numbers] 4 defines this
  return array_view<const Part>(parts ? parts + part : nullptr, e, s);
}
template <class X>
using part_type = typename part_of<std::remove_cvref_t<decltype(*array_view(std::declval<const X&>()).data())>>::type;

/// What a function is derived from that runs on CPUs only, in a .cu file, too: it is not trivially copyable.
struct on_cpus_only {
  on_cpus_only() = default;
  on_cpus_only(const on_cpus_only&) {}  // NOLINT(modernize-use-equals-default): that would be trivial
};

/// The modulus of a number by its parts. Squares of f32 are exact in f64.
struct modulus_of_parts : on_cpus_only {
  float operator()(float x, float y) const {
    const double a = x, b = y;
    const bool is_infinite = __builtin_isinf(x) || __builtin_isinf(y);
    return is_infinite ? __builtin_inff() : static_cast<float>(__builtin_sqrt(a * a + b * b));
  }
  double operator()(double x, double y) const { return modulus(x, y); }
};
template <class X>
auto moduli(const X& x) {
  return mapped(modulus_of_parts{}, part_view(x, 0), part_view(x, 1));
}

/// The factors of the products that a part of a dot product adds: the real part, or else the imaginary one.
template <bool real>
struct as_complex_factors : on_cpus_only {
  template <class X, class Y>
  factors<2> operator()(const X& x, const Y& y) const {
    const double a = y.real(), b = y.imag();
    return {{x.real(), x.imag()}, {real ? a : b, real ? -b : a}};
  }
};

template <class Form, class X, class Y>
auto complex_dot_in(const Form& form, const X& x, const Y& y, const options& how) {
  require_no_init("dot of complex numbers", how);
  using R =
      std::conditional_t<std::is_same_v<part_type<X>, float> && std::is_same_v<part_type<Y>, float>, float, double>;
  if (how.accuracy == accuracy::exact)
    return for_each_result([](R real, R imaginary) { return std::complex<R>(real, imaginary); },
                           exact_dot_of<R, 2>(form, mapped(as_complex_factors<true>{}, x, y), how),
                           exact_dot_of<R, 2>(form, mapped(as_complex_factors<false>{}, x, y), how));
  const auto sum_of = [&](int of_x, int of_y) {
    return form.template reduce<op::sum, double>(mapped(product_as<double>{}, part_view(x, of_x), part_view(y, of_y)),
                                                 how);
  };
  return for_each_result(
      [](double real, double less, double imaginary, double more) {
        return std::complex<R>(static_cast<R>(real - less), static_cast<R>(imaginary + more));
      },
      sum_of(0, 0), sum_of(1, 1), sum_of(0, 1), sum_of(1, 0));
}

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {

/// The dot product of complex numbers, the sum of x[i] y[i]: neither array is conjugated, as in C++'s and NumPy's dot,
/// and BLAS's dotu. Its parts are sums and differences of two `sum`s each of products of parts, all in f64, and rounded
/// to f32 if both arrays are of std::complex<float>; at accuracy exact, each part is rounded once, on CPUs. Throws as
/// map_reduce does, and invalid_argument for an initial value.
template <detail::complex_vector X, detail::complex_vector Y>
auto dot(const X& x, const Y& y, const options& how = {}) {
  return detail::as_verb("dot", [&] { return detail::complex_dot_in(detail::whole_data{}, x, y, how); });
}
/// The same along some axes.
template <detail::complex_axes X, detail::complex_axes Y>
auto dot(const X& x, const Y& y, const axis_list& axes, const options& how = {}) {
  return detail::as_verb("dot", [&] { return detail::complex_dot_in(detail::data_along{axes}, x, y, how); });
}

/// The sum of the moduli of complex numbers, as f64 of std::complex<double>, otherwise f32. A modulus does not overflow
/// on the way, is infinite if a part is, and is rounded to the parts' type. On CPUs. Throws as map_reduce does.
template <detail::complex_vector X>
auto norm1(const X& x, const options& how = {}) {
  return detail::as_verb("norm1",
                         [&] { return detail::reduce_mapped<op::sum, void>(detail::moduli(x), how, op::sum{}); });
}
/// The same along some axes.
template <detail::complex_axes X>
auto norm1(const X& x, const axis_list& axes, const options& how = {}) {
  return detail::as_verb("norm1", [&] {
    return detail::reduce_mapped<op::sum, void>(detail::moduli(x), over{.axes = axes}, how, op::sum{});
  });
}

/// The largest modulus of complex numbers, in the type of their parts; of none 0. The rest is as for norm1.
template <detail::complex_vector X>
auto norm_inf(const X& x, const options& how = {}) {
  return detail::as_verb("norm_inf", [&] {
    return detail::reduce_mapped<op::max, void>(detail::moduli(x), detail::from_zero(how), op::max{});
  });
}
/// The same along some axes.
template <detail::complex_axes X>
auto norm_inf(const X& x, const axis_list& axes, const options& how = {}) {
  return detail::as_verb("norm_inf", [&] {
    return detail::reduce_mapped<op::max, void>(detail::moduli(x), over{.axes = axes}, detail::from_zero(how),
                                                op::max{});
  });
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
