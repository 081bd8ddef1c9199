// The order-independent operations as plain loops, written from the rules of docs/semantics.md.
//
// plain(operation, elements): an overload exists for each operation and element type whose result does not depend
// on the order. Elements are never empty where the operation needs one.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

#include "onefold/catalog.hpp"
#include "support/number.hpp"

namespace support {

template <class T>
bool is_nan(T x) {
  if constexpr (is_float<T>)
    return std::isnan(value_of(x));
  else
    return false;
}

/// The total order of min and max over numbers: -0 < +0.
template <class T>
bool before(T a, T b) {
  const auto x = value_of(a), y = value_of(b);
  if constexpr (is_float<T>)
    if (x == y) return std::signbit(x) && !std::signbit(y);
  return x < y;
}

template <class T>
T or_canonical_nan(T x) {
  if constexpr (is_float<T>)
    if (is_nan(x)) return canonical_nan<T>();
  return x;
}

/// The first index of the first NaN or, without one, of the extreme element.
template <class T, class Better>
std::int64_t first_extreme(std::span<const T> x, Better better) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (is_nan(x[i])) return static_cast<std::int64_t>(i);
    if (better(x[i], x[best])) best = i;
  }
  return static_cast<std::int64_t>(best);
}

/// The extreme of the numbers; NaN if there is none.
template <class T, class Better>
T extreme_number(std::span<const T> x, Better better) {
  T best = x[0];
  for (const T y : x)
    if (is_nan(best) || (!is_nan(y) && better(y, best))) best = y;
  return or_canonical_nan(best);
}

template <class T>
constexpr auto less = [](T a, T b) { return before(a, b); };
template <class T>
constexpr auto greater = [](T a, T b) { return before(b, a); };

namespace op = onefold::op;

template <class T>
std::int64_t plain(op::argmin, std::span<const T> x) {
  return first_extreme(x, less<T>);
}
template <class T>
std::int64_t plain(op::argmax, std::span<const T> x) {
  return first_extreme(x, greater<T>);
}
template <class T>
T plain(op::min, std::span<const T> x) {
  return or_canonical_nan(x[static_cast<std::size_t>(plain(op::argmin{}, x))]);
}
template <class T>
T plain(op::max, std::span<const T> x) {
  return or_canonical_nan(x[static_cast<std::size_t>(plain(op::argmax{}, x))]);
}
template <class T>
T plain(op::fmin, std::span<const T> x) {
  return extreme_number(x, less<T>);
}
template <class T>
T plain(op::fmax, std::span<const T> x) {
  return extreme_number(x, greater<T>);
}
template <class T>
onefold::minmax_result<T> plain(op::minmax, std::span<const T> x) {
  return {plain(op::min{}, x), plain(op::max{}, x)};
}

template <class T>
std::int64_t plain(op::count, std::span<const T> x) {
  std::int64_t n = 0;
  for (const T y : x) n += value_of(y) != 0;  // a NaN is not 0
  return n;
}
template <class T>
bool plain(op::all, std::span<const T> x) {
  return plain(op::count{}, x) == static_cast<std::int64_t>(x.size());
}
template <class T>
bool plain(op::any, std::span<const T> x) {
  return plain(op::count{}, x) != 0;
}

/// i64 or u64: what sums and products of integers return.
template <class T>
using long_integer = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;

template <class T>
requires(std::is_integral_v<T>) long_integer<T> plain(op::sum, std::span<const T> x) {
  std::uint64_t s = 0;
  for (const T y : x) s += static_cast<std::uint64_t>(static_cast<long_integer<T>>(y));
  return static_cast<long_integer<T>>(s);
}
template <class T>
requires(std::is_integral_v<T>) long_integer<T> plain(op::product, std::span<const T> x) {
  std::uint64_t s = 1;
  for (const T y : x) s *= static_cast<std::uint64_t>(static_cast<long_integer<T>>(y));
  return static_cast<long_integer<T>>(s);
}
template <class T>
T plain(op::bit_and, std::span<const T> x) {
  T s = static_cast<T>(~T{0});
  for (const T y : x) s = static_cast<T>(s & y);
  return s;
}
template <class T>
T plain(op::bit_or, std::span<const T> x) {
  T s = 0;
  for (const T y : x) s = static_cast<T>(s | y);
  return s;
}
template <class T>
T plain(op::bit_xor, std::span<const T> x) {
  T s = 0;
  for (const T y : x) s = static_cast<T>(s ^ y);
  return s;
}

/// Whether Op at accuracy A refuses a result: an exact integer sum beyond 64 bits.
template <class Op, class T, onefold::accuracy A>
bool overflows([[maybe_unused]] std::span<const T> x) {
  if constexpr (std::is_same_v<Op, op::sum> && std::is_integral_v<T> && A == onefold::accuracy::exact) {
    long double s = 0;  // of elements of less than 64 bits, and of few: near enough
    for (const T y : x) s += static_cast<long double>(y);
    return s > static_cast<long double>(std::numeric_limits<long_integer<T>>::max()) ||
           s < static_cast<long double>(std::numeric_limits<long_integer<T>>::min());
  } else {
    return false;
  }
}

/// Whether Op's result over T is the same in every order.
template <class Op, class T>
inline constexpr bool order_independent = requires(std::span<const T> x) {
  plain(Op{}, x);
};

}  // namespace support
