// vector_norm: (sum of |x|^p)^(1/p) for any p > 0, of whole arrays and along axes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

#include "onefold/math.hpp"
#include "onefold/vectors.hpp"

namespace onefold {
namespace detail {

/// to[i] = largest[i] sums[i]^(1/p), rounded once after f64; largest[i] where it is 0, infinite or NaN. Whatever the
/// calling thread's floating-point environment.
ONEFOLD_API void scaled_roots(std::span<const double> largest, std::span<const double> sums, double p, double* to);
ONEFOLD_API void scaled_roots(std::span<const double> largest, std::span<const double> sums, double p, float* to);

/// Throws invalid_argument unless p > 0.
ONEFOLD_API void check_norm_power(double p);

inline namespace ONEFOLD_LEVEL {

/// |x| in f64.
struct magnitude_in_f64 {
  template <class X>
  constexpr double operator()(X x) const {
    return __builtin_fabs(widened<double>(x));
  }
};

/// (|x| / largest)^p in f64, where |x| is at most `largest`: nothing overflows. Small quotients, which would vanish
/// before their powers do, are 2^1500 as large until their logarithm is taken.
struct scaled_power {
  double p = 1;
  double largest = 1;

  template <class X>
  constexpr double operator()(X x, double scale) const {
    const double magnitude = magnitude_in_f64{}(x);
    const bool small = magnitude < math::times(scale, 0x1p-900);
    const double quotient = math::quotient(small ? math::times(magnitude, 0x1p1000) : magnitude,
                                           small ? math::times(scale, 0x1p-500) : scale);
    return exp2(math::times(p, log2(quotient) - (small ? 1500.0 : 0.0)));
  }
  template <class X>
  constexpr double operator()(X x) const {
    return (*this)(x, largest);
  }
};

/// The largest magnitude of the data as a whole, and the sum of the scaled powers.
template <class X>
double largest_magnitude(const whole_data& form, const X& x, const options& how) {
  return form.reduce<op::max, double>(mapped(magnitude_in_f64{}, x), from_zero(how));
}
template <class X>
double sum_scaled_powers(const whole_data& form, const X& x, double p, const double& largest, const options& how) {
  return form.reduce<op::sum, double>(mapped(scaled_power{p, largest}, x), how);
}

/// The same along some axes, which stay in `largest`, with one element each.
template <class X>
result_array<double> largest_magnitude(const data_along& form, const X& x, const options& how) {
  const auto magnitudes = mapped(magnitude_in_f64{}, x);
  return source_traits<std::remove_const_t<decltype(magnitudes)>>::template reduce<op::max, double>(
      magnitudes, over{.axes = form.axes, .keep = true}, from_zero(how), {}, nullptr);
}
template <class X>
result_array<double> sum_scaled_powers(const data_along& form, const X& x, double p,
                                       const result_array<double>& largest, const options& how) {
  const mapped_axes all = mapped(magnitude_in_f64{}, x).axes()[0];
  extents sizes;
  strides repeating;
  std::int64_t stride = static_cast<std::int64_t>(largest.size());
  for (std::size_t i = 0; i < all.rank; ++i) {
    const std::int64_t kept = largest.extents()[i];
    if (kept > 0) stride /= kept;
    sizes.push_back(all.axes[i].extent);
    repeating.push_back(kept == 1 ? 0 : stride);
  }
  const array_view<double> scales(largest.data(), sizes, repeating);
  return form.reduce<op::sum, double>(mapped(scaled_power{p}, x, scales), how);
}

template <class Form, class X>
auto vector_norm_in(const Form& form, const X& x, double p, const options& how) {
  require_no_init("vector_norm", how);
  check_norm_power(p);
  using R = real_of<vector_type<X, X>>;
  if (p == 1) return form.template reduce<op::sum, R>(mapped(absolute_value{}, x), how);
  if (p == 2) return form.template reduce<op::norm2, R>(mapped(same_value{}, x), how);
  const auto write = [p](const auto& largest, const auto& sums) {
    auto out = results_like<R>(sums);
    scaled_roots(all_of(largest), all_of(sums), p, first_of(out));
    return out;
  };
  if (p == std::numeric_limits<double>::infinity()) {
    const auto largest = form.template reduce<op::max, double>(mapped(magnitude_in_f64{}, x), from_zero(how));
    return write(largest, largest);
  }
  const auto largest = largest_magnitude(form, x, how);
  return write(largest, sum_scaled_powers(form, x, p, largest, how));
}

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {

/// The norm (sum of |x[i]|^p)^(1/p) for p > 0 (for p < 1 it is not a norm), as f64 for f64 and integers, else f32. For
/// 1 it is the `sum` of |x[i]| (of integers it wraps in 64 bits), for 2 their `norm2`, and for infinity the largest of
/// them. For another p the elements are divided by the largest first, so that nothing overflows on the way: quotients,
/// powers (by onefold::exp2 and log2) and their `sum` are in f64, at the accuracy asked for, and the data is read
/// twice. The result is then off by at most 3 + (3 + 2 log2(n)) / p units in the last place of f64, by what the sum is
/// off by over p, and by the rounding to f32. For no elements it is 0; an infinity gives infinity, a NaN gives NaN.
/// Throws as map_reduce does, which takes such functions to a GPU from .cu files alone, and invalid_argument for other
/// values of p; there is no initial value.
template <detail::function_argument X>
auto vector_norm(const X& x, double p, const options& how = {}) {
  return detail::as_verb("vector_norm", [&] { return detail::vector_norm_in(detail::whole_data{}, x, p, how); });
}
/// The same along some axes: vector_norm(matrix, 3, 1).
template <detail::axes_function_argument X>
auto vector_norm(const X& x, double p, const axis_list& axes, const options& how = {}) {
  return detail::as_verb("vector_norm", [&] { return detail::vector_norm_in(detail::data_along{axes}, x, p, how); });
}
/// The same of a list of elements in braces.
template <class T, std::size_t n>
auto vector_norm(const T (&x)[n], double p, const options& how = {}) {
  return onefold::vector_norm(std::span<const T>(x), p, how);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
