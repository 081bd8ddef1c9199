// The exact sum or mean: every element is pushed, as one or two doubles, into accumulators that never round.
#include "lab/sum_reference.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#include "elements.hpp"
#include "input/with_type.hpp"
#include "lab/with_number.hpp"
#include "onefold/bound.hpp"
#include "onefold/detail/numbers.hpp"

namespace onefold::cli {
namespace {

/// A number as two doubles whose sum is exactly it; the second is 0 for all types but 64-bit integers.
struct two_parts {
  double high, low;
};
template <class T>
two_parts parts_of(T x) {
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    const auto low = static_cast<std::uint64_t>(x) & 0xffffffffu;
    return {static_cast<double>(x >> 32) * 0x1p32, static_cast<double>(low)};
  } else {
    return {detail::as_double(x), 0};
  }
}

/// Elements that are converted at a time.
constexpr std::size_t block = 4096;

template <class T>
void add_all(std::span<const std::byte> elements, exact_sum<double>& sum, exact_sum<double>& magnitude,
             progress_counter& counted) {
  const std::span<const T> x(reinterpret_cast<const T*>(elements.data()), elements.size() / sizeof(T));
  const options one_thread{.backend = backend::sequential, .environment = false};
  constexpr bool split = std::is_integral_v<T> && sizeof(T) == 8;
  std::array<double, block*(split ? 2 : 1)> values;
  for (std::size_t first = 0; first < x.size(); first += block) {
    std::size_t count = 0;
    for (const T y : x.subspan(first, std::min(block, x.size() - first))) {
      const two_parts p = parts_of(y);
      values[count++] = p.high;
      if constexpr (split) values[count++] = p.low;
    }
    const std::span<double> made(values.data(), count);
    sum.push(made, one_thread);
    if constexpr (split)  // the two parts of a negative number have different signs
      for (std::size_t i = 0; i < count; i += 2)
        if (made[i] < 0) made[i] = -made[i], made[i + 1] = -made[i + 1];
    if constexpr (!split)
      for (double& v : made) v = std::fabs(v);
    magnitude.push(made, one_thread);
    counted.bytes += count * sizeof(T) / (split ? 2 : 1);
  }
}

/// Adds x, count times, by doubling.
void add_times(exact_sum<double>& sum, double x, std::int64_t count) {
  exact_sum<double> power;
  power.push(x);
  for (; count > 0; count /= 2) {
    if (count % 2 != 0) sum.merge(power);
    power.merge(power);
  }
}

}  // namespace

void sum_reference::push(std::span<const std::byte> elements, progress_counter& counted) {
  count_ += detail::elements_in(static_cast<std::int64_t>(elements.size()), type_);
  with_type(type_, [&]<class T>() { add_all<T>(elements, sum_, magnitude_, counted); });
}

// The accumulator divides by its number of pushes, which is a small multiple of the number of elements.
double sum_reference::mean_of(const exact_sum<double>& s) const {
  return s.mean<double>() * (static_cast<double>(s.count()) / static_cast<double>(count_));
}

double sum_reference::value() const { return mean_ ? mean_of(sum_) : sum_.value<double>(); }

scalar sum_reference::rounded(dtype result) const {
  if (result != dtype::f32) return scalar_of(value());
  return scalar_of(mean_ ? sum_.mean<float>() : sum_.value<float>());
}

double sum_reference::condition() const {
  const double a = magnitude_.value<double>(), s = std::fabs(sum_.value<double>());
  if (!std::isfinite(a) && count_ > 0) return mean_of(magnitude_) / std::fabs(mean_of(sum_));
  return a == 0 ? 1 : a / s;
}

double sum_reference::bound(accuracy a) const {
  double most = 0;
  with_type(type_, [&]<class T>() {
    if (mean_)
      most = mean_error_bound<T>(a, count_, magnitude(), value());
    else if constexpr (detail::is_float<T>)
      most = sum_error_bound<T>(a, count_, magnitude(), value());
    else  // exact modulo 2^64
      most = magnitude() < 0x1p63 ? 0 : std::numeric_limits<double>::infinity();
  });
  return most;
}

double sum_reference::finite_error_of(const scalar& result) const {
  exact_sum<double> rest = sum_;
  if (mean_) {
    add_times(rest, -number_of(result), count_);
    return mean_of(rest);
  }
  with_number(result, [&](auto x) {
    const two_parts parts = parts_of(x);
    rest.push(-parts.high);
    rest.push(-parts.low);
  });
  return rest.value<double>();
}

}  // namespace onefold::cli
