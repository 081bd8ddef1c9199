// Everything is an integer or a fraction of integers until the last rounding.
#include "lab/power_reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "elements.hpp"
#include "input/with_type.hpp"
#include "lab/with_number.hpp"
#include "onefold/bound.hpp"
#include "onefold/exact.hpp"

namespace onefold::cli {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Elements that are added at a time, for the progress line.
constexpr std::size_t batch = std::size_t{1} << 20;

template <class T>
detail::power_sums powers_of(std::span<const std::byte> elements, progress_counter& counted) {
  const std::span<const T> x(reinterpret_cast<const T*>(elements.data()), elements.size() / sizeof(T));
  detail::power_sums powers{};
  for (std::size_t first = 0; first < x.size(); first += batch) {
    const auto chunk = x.subspan(first, std::min(batch, x.size() - first));
    const auto part = detail::exact_state<T, op::moments, detail::power_sums>(
        chunk, options{.backend = backend::sequential, .environment = false});
    detail::merge(powers, part);
    counted.bytes += chunk.size_bytes();
  }
  return powers;
}

/// The sum of squares with the digits of a quotient.
detail::quotient widened(detail::product_accumulator squares) {
  detail::carry(squares);
  detail::quotient q{};
  constexpr int shift = (detail::product_accumulator::low_bit - detail::quotient::low_bit) / 32;
  std::ranges::copy(squares.limb, q.limb + shift);
  q.special = squares.special;
  return q;
}

}  // namespace

power power_of(int operation) {
  const auto one_of = [operation](auto... places) { return ((operation == places) || ...); };
  return {!one_of(operation_index<op::sum_squares>, operation_index<op::norm2>),
          one_of(operation_index<op::sample_variance>, operation_index<op::sample_stddev>),
          one_of(operation_index<op::norm2>, operation_index<op::stddev>, operation_index<op::sample_stddev>)};
}

void power_reference::push(std::span<const std::byte> elements, progress_counter& counted) {
  count_ += detail::elements_in(static_cast<std::int64_t>(elements.size()), type_);
  divisor_ = which_.sample ? count_ - 1 : count_;
  with_type(type_, [&]<class T>() { detail::merge(powers_, powers_of<T>(elements, counted)); });
  square_ = {};
  if (!which_.deviations)
    square_ = widened(powers_.squares);
  else if (divisor_ > 0)
    square_ = detail::variance_of(powers_, count_, divisor_);
  else
    square_.special = detail::not_a_number;
}

scalar power_reference::rounded(dtype result) const {
  return result == dtype::f32 ? scalar_of(rounded_to<float>()) : scalar_of(rounded_to<double>());
}

double power_reference::magnitude() const { return detail::unrounded_of(powers_.squares, false).rounded_to<double>(); }

double power_reference::condition() const {
  const double norm = detail::unrounded_of(powers_.squares, true).rounded_to<double>();
  if (!std::isfinite(norm) || square_.special) return std::numeric_limits<double>::quiet_NaN();
  if (!which_.deviations || norm == 0) return 1;
  return norm / detail::unrounded_variance(powers_, count_, 1, true).rounded_to<double>();
}

double power_reference::bound_of_square() const {
  constexpr double u = detail::limits<double>::unit, underflow = detail::limits<double>::underflow;
  const double n = static_cast<double>(count_), squares = magnitude();
  const double h = detail::depth_of(count_, size_of(type_)), page = static_cast<double>(page_elements(size_of(type_)));
  const bool converted = !is_float(type_) && size_of(type_) == 8;  // 64-bit integers are rounded to f64 first
  if (!which_.deviations) return detail::gamma(h + 1 + (converted ? 2 : 0), u) * squares + 2 * n * underflow;
  const double deviations = detail::unrounded_variance(powers_, count_, 1, true).rounded_to<double>();
  const double norm = std::sqrt(squares), of_mean = (4 * h + (converted ? 2 : 0)) * u * norm;
  const double m2 = (1 + page) * h * u * deviations * deviations + of_mean * deviations + of_mean * of_mean;
  return (m2 + n * underflow) / static_cast<double>(divisor_);
}

double power_reference::bound(accuracy a) const {
  double most = 0;
  with_type(type_, [&]<class T>() {
    using L = detail::limits<typename detail::accumulator<T>::type>;
    constexpr double outward = 1 + 0x1p-20, almost = 1 - 0x1p-20;
    const double v = std::fabs(value());
    const bool exact = a == accuracy::exact;
    if (!std::isfinite(v) || (!exact && !(magnitude() < detail::limits<double>::largest * almost))) {
      most = infinity;
      return;
    }
    double off = exact ? 0 : bound_of_square() * outward;
    if (which_.root) off = v > 0 ? std::min(off / v, std::sqrt(off)) : std::sqrt(off);
    const double roundings = exact ? 1 : 4;
    most = (off + roundings * L::unit * (v + off)) * outward + 2 * L::underflow;
    if (!(v + most < L::largest * almost)) most = infinity;
  });
  return most;
}

double power_reference::finite_error_of(const scalar& result) const {
  const double v = number_of(result);
  const auto f = detail::fields::of(v);
  const int place = detail::format_of<double>::lowest + f.shift;
  detail::quotient rest = square_;
  if (!which_.root) {
    detail::deposit(rest, -f.significand, place - detail::quotient::low_bit);
    return detail::round<double>(rest).value;
  }
  // sqrt(a) - v = (a - v^2) / (sqrt(a) + v); a result that is negative by mistake is further off.
  detail::deposit_wide(rest, -static_cast<detail::int128>(f.significand) * f.significand,
                       2 * place - detail::quotient::low_bit);
  const double sum = value() + v;
  if (!(sum > 0)) return value() - v;
  const detail::front over = detail::unrounded_of(rest, false).value;  // which may be beyond the range of f64
  int exponent = 0;
  const double size = static_cast<double>(over.bits) / std::frexp(sum, &exponent);
  return std::ldexp(over.negative ? -size : size, over.exponent - exponent);
}

}  // namespace onefold::cli
