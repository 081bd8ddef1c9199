// Which operations there is a reference for, and what references share.
#include "lab/reference.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "input/with_type.hpp"
#include "lab/power_reference.hpp"
#include "lab/sum_reference.hpp"
#include "lab/with_number.hpp"
#include "onefold/detail/format.hpp"
#include "onefold/detail/numbers.hpp"

namespace onefold::cli {

std::span<const std::string_view> referenced_operations() {
  static constexpr std::array<std::string_view, 8> all{
      op::sum::name,    op::mean::name,          op::variance::name,    op::sample_variance::name,
      op::stddev::name, op::sample_stddev::name, op::sum_squares::name, op::norm2::name};
  return all;
}

std::unique_ptr<exact_reference> reference_of(int operation, dtype type) {
  const bool mean = operation == operation_index<op::mean>;
  if (mean || operation == operation_index<op::sum>) return std::make_unique<sum_reference>(mean, type);
  return std::make_unique<power_reference>(power_of(operation), type);
}

double exact_reference::error_of(const scalar& result) const {
  const double v = number_of(result), nearest = number_of(rounded(result.type));
  if (std::isfinite(v) && std::isfinite(nearest)) return finite_error_of(result);
  const bool same = v == nearest || (std::isnan(v) && std::isnan(nearest));
  return same ? 0 : std::numeric_limits<double>::infinity();
}

double ulp_at(double x, dtype type) {
  if (!is_float(type)) return 1;
  double ulp = 0;
  with_type(type, [&]<class T>() {
    if constexpr (detail::is_float<T>) {
      using F = detail::format_of<T>;
      const int exponent = x == 0 ? F::smallest_normal : std::max(std::ilogb(x), F::smallest_normal);
      ulp = std::ldexp(1, exponent - F::fraction_bits);
    }
  });
  return ulp;
}

double number_of(const scalar& s) {
  double value = 0;
  with_number(s, [&](auto x) {
    if constexpr (std::is_integral_v<decltype(x)>)
      value = static_cast<double>(x);
    else
      value = detail::as_double(x);
  });
  return value;
}

scalar scalar_of(float x) { return {"value", dtype::f32, std::bit_cast<std::uint32_t>(x)}; }
scalar scalar_of(double x) { return {"value", dtype::f64, std::bit_cast<std::uint64_t>(x)}; }

}  // namespace onefold::cli
