// Sums of integers that never overflow: integer_sum, whose results have 128 bits.
//
// It is a user-defined operation that ships with the library: reduce, plans, axes, segments, keys, scans, partials
// and accumulators take it, in any order with the same result. Files that include this header are compiled as
// <onefold/custom.hpp> says, .cu files as <onefold/cuda.cuh> says.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "onefold/custom.hpp"
#include "onefold/detail/verb.hpp"
#include "onefold/map_reduce.hpp"

namespace onefold {

/// The compiler's signed integer of 128 bits.
__extension__ using int128 = __int128;
/// The compiler's unsigned integer of 128 bits.
__extension__ using uint128 = unsigned __int128;

/// The result of integer_sum: an integer of 128 bits, which streams do not print, and its text.
template <class Integer>
struct integer_sum_result {
  Integer value;  ///< int128 of signed elements, uint128 of unsigned ones

  /// The number in decimal.
  std::string text() const {
    const bool negative = value < 0;
    uint128 left = negative ? -static_cast<uint128>(value) : static_cast<uint128>(value);
    std::string digits;
    do digits += static_cast<char>('0' + static_cast<int>(left % 10));
    while (left /= 10);
    if (negative) digits += '-';
    std::reverse(digits.begin(), digits.end());
    return digits;
  }
  /// Whether the numbers are equal.
  friend constexpr bool operator==(const integer_sum_result&, const integer_sum_result&) = default;
};

namespace detail {
inline namespace ONEFOLD_LEVEL {

/// The integers of a verb's argument; any type will do for what has none.
template <class Data>
struct summed_integers {
  using type = std::int64_t;
};
template <reducible Data>
struct summed_integers<Data> {
  using type = canonical_t<typename source_traits<Data>::element_type>;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {
namespace op {

/// The sum of integers of type T, as an integer_sum_result. It does not overflow: 2^63 elements of 64 bits take 127.
/// The sum of elements of 128 bits is an error (overflow) where it is beyond the range of its result. Empty: 0.
template <class T>
struct integer_sum {
  static_assert(detail::is_integer<T>,
                "onefold: integer_sum takes integers; sums of floating-point numbers are exact at accuracy exact");
  /// A sum.
  using state = integer_sum_result<std::conditional_t<detail::is_signed<T>, int128, uint128>>;

  /// 0.
  static constexpr state identity() { return {0}; }
  /// The element.
  static constexpr state lift(T x) { return {x}; }
  /// The sum of both.
  static constexpr state combine(state a, state b) { return {a.value + b.value}; }
  /// The sum.
  static constexpr state finish(state a) { return a; }
};

/// @cond
template <class T>
requires(detail::is_integer<T> && sizeof(T) == sizeof(int128)) struct integer_sum<T> {
  using result = integer_sum_result<T>;
  /// A sum of 256 bits.
  struct state {
    uint128 low;
    int128 high;
  };

  static constexpr state identity() { return {}; }
  static constexpr state lift(T x) { return {static_cast<uint128>(x), x < 0 ? -1 : 0}; }
  static constexpr state combine(const state& a, const state& b) {
    const uint128 low = a.low + b.low;
    return {low, a.high + b.high + (low < a.low)};
  }
  static constexpr result finish(const state& a) { return {static_cast<T>(a.low)}; }
  static constexpr const char* why_no_result(const state& a, const result*) {
    return a.high == (static_cast<T>(a.low) < 0 ? -1 : 0) ? nullptr : "the sum is beyond the range of 128 bits";
  }
};
/// @endcond

}  // namespace op

/// The sum of integers, as an integer_sum_result: of whatever `reduce` takes. Throws onefold::error as `reduce` does
/// with a user-defined operation, and overflow where a sum of elements of 128 bits is out of range.
template <verb_argument Data>
auto integer_sum(const Data& data, const options& how = {}) {
  return detail::reduced<op::integer_sum<typename detail::summed_integers<Data>::type>>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
auto integer_sum(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced<op::integer_sum<typename detail::summed_integers<Data>::type>>(data, axes, how);
}

/// The same of what a function returns for each element, or of a member: `integer_sum(orders, &order::amount)`.
template <detail::function_argument Data, detail::function_of_elements<Data> F>
auto integer_sum(const Data& data, F f, const options& how = {}) {
  return onefold::integer_sum(mapped(std::move(f), data), how);
}
/// The same over some axes.
template <detail::function_argument Data, detail::function_of_elements<Data> F>
auto integer_sum(const Data& data, F f, const axis_list& axes, const options& how = {}) {
  return onefold::integer_sum(mapped(std::move(f), data), axes, how);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
