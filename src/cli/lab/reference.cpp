// Every element is pushed, as one or two doubles, into accumulators that never round.
#include "lab/reference.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "input/with_type.hpp"
#include "onefold/accuracy.hpp"
#include "onefold/detail/format.hpp"

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
constexpr std::size_t batch = 4096;

template <class T>
void add_all(std::span<const std::byte> elements, exact_sum<double>& sum, exact_sum<double>& magnitude,
             tally& counted) {
  const std::span<const T> x(reinterpret_cast<const T*>(elements.data()), elements.size() / sizeof(T));
  const options one_thread{.backend = backend::sequential};
  constexpr bool split = std::is_integral_v<T> && sizeof(T) == 8;
  std::array<double, batch*(split ? 2 : 1)> values;
  for (std::size_t first = 0; first < x.size(); first += batch) {
    std::size_t count = 0;
    for (const T y : x.subspan(first, std::min(batch, x.size() - first))) {
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

/// Calls f with a result's number as a value of its type.
template <class Function>
void with_number(const scalar& s, Function&& f) {
  with_type(s.type, [&]<class T>() {
    if constexpr (sizeof(T) == 8)
      f(std::bit_cast<T>(s.bits));
    else if constexpr (sizeof(T) == 4)
      f(std::bit_cast<T>(static_cast<std::uint32_t>(s.bits)));
  });
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

exact_reference::exact_reference(dtype type, std::span<const std::byte> elements, bool mean, tally& counted)
    : count_(static_cast<std::int64_t>(elements.size()) / size_of(type)), mean_(mean) {
  with_type(type, [&]<class T>() { add_all<T>(elements, sum_, magnitude_, counted); });
}

// The accumulator divides by its number of pushes, which is a small multiple of the number of elements.
double exact_reference::mean_of(const exact_sum<double>& s) const {
  return s.mean<double>() * (static_cast<double>(s.count()) / static_cast<double>(count_));
}

double exact_reference::value() const { return mean_ ? mean_of(sum_) : sum_.value<double>(); }

scalar exact_reference::rounded(dtype result) const {
  if (result != dtype::f32) return {"value", dtype::f64, std::bit_cast<std::uint64_t>(value())};
  return {"value", dtype::f32, std::bit_cast<std::uint32_t>(mean_ ? sum_.mean<float>() : sum_.value<float>())};
}

double exact_reference::condition() const {
  const double a = magnitude_.value<double>(), s = std::fabs(sum_.value<double>());
  if (!std::isfinite(a) && count_ > 0) return mean_of(magnitude_) / std::fabs(mean_of(sum_));
  return a == 0 ? 1 : a / s;
}

double exact_reference::error_of(const scalar& result) const {
  const double v = number_of(result), nearest = number_of(rounded(result.type));
  if (!std::isfinite(v) || !std::isfinite(nearest)) {
    const bool same = v == nearest || (std::isnan(v) && std::isnan(nearest));
    return same ? 0 : std::numeric_limits<double>::infinity();
  }
  exact_sum<double> rest = sum_;
  if (mean_) {
    add_times(rest, -v, count_);
    return mean_of(rest);
  }
  with_number(result, [&](auto x) {
    const two_parts parts = parts_of(x);
    rest.push(-parts.high);
    rest.push(-parts.low);
  });
  return rest.value<double>();
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

}  // namespace onefold::cli
