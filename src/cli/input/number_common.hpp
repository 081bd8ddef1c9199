// parse_common: the fast path of reading numbers, where a token's end need not be searched first.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <system_error>
#include <type_traits>

#include "input/number.hpp"
#include "onefold/detail/format.hpp"

namespace onefold::cli {

/// Whether a number in decimal has a point or an exponent; false for inf and nan.
inline bool has_fraction(const char* first, const char* last) {
  return std::any_of(first, last, [](char c) { return c == '.' || c == 'e' || c == 'E'; });
}

template <class T>
bool may_be_rounded(T value) {
  if constexpr (onefold::detail::is_integer<T>) {
    return false;
  } else {
    using wide = std::conditional_t<onefold::detail::is_small_float<T>, float, T>;
    constexpr wide exact = static_cast<wide>(std::uint64_t{1} << onefold::detail::format_of<T>::precision);
    const wide x = static_cast<wide>(value);
    return !(x < exact && x > -exact);  // true for NaN
  }
}

template <class T, class Ends>
const char* parse_common(const char* first, const char* last, T& value, Ends ends) {
  if constexpr (onefold::detail::is_small_float<T>) {
    return nullptr;
  } else {
    T read{};
    const auto [after, error] = std::from_chars(first, last, read);
    if (error != std::errc{} || (after != last && !ends(*after))) return nullptr;
    if (may_be_rounded(read) && !has_fraction(first, after)) return nullptr;
    value = read;
    return after;
  }
}

}  // namespace onefold::cli
