// Numbers from text by std::from_chars, and the cases that it leaves to its caller: signs, 0x, and the range.
#include "input/number.hpp"

#include <cfenv>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <system_error>

#include "onefold/detail/numbers.hpp"

namespace onefold::cli {
namespace {

/// A token without its sign and its 0x.
struct stripped {
  std::string_view digits;
  bool negative = false;
  bool hexadecimal = false;
};

stripped strip(std::string_view token) {
  stripped s{token};
  if (!s.digits.empty() && (s.digits[0] == '-' || s.digits[0] == '+')) {
    s.negative = s.digits[0] == '-';
    s.digits.remove_prefix(1);
  }
  if (s.digits.size() > 2 && s.digits[0] == '0' && (s.digits[1] == 'x' || s.digits[1] == 'X')) {
    s.hexadecimal = true;
    s.digits.remove_prefix(2);
  }
  return s;
}

/// strtod and strtof by one name.
void from_c_string(const char* text, double& value) { value = std::strtod(text, nullptr); }
void from_c_string(const char* text, float& value) { value = std::strtof(text, nullptr); }

template <class F>
parsed parse_binary(std::string_view token, F& value) {
  const auto [digits, negative, hexadecimal] = strip(token);
  if (digits.empty() || digits[0] == '-') return parsed::not_a_number;  // from_chars takes a sign of its own
  const char* const last = digits.data() + digits.size();
  F magnitude{};
  const auto format = hexadecimal ? std::chars_format::hex : std::chars_format::general;
  const auto [after, error] = std::from_chars(digits.data(), last, magnitude, format);
  if (after != last || error == std::errc::invalid_argument) return parsed::not_a_number;
  const bool letters = (digits[0] | 0x20) == 'i' || (digits[0] | 0x20) == 'n';
  if (hexadecimal && letters) return parsed::not_a_number;  // 0xinf
  if (error == std::errc::result_out_of_range)              // too large or too small: from_chars does not say which
    from_c_string(((hexadecimal ? "0x" : "") + std::string(digits)).c_str(), magnitude);
  if (std::isinf(magnitude) && !letters) return parsed::out_of_range;
  value = negative ? -magnitude : magnitude;
  return parsed::number;
}

template <class I>
parsed parse_integer(std::string_view token, I& value) {
  const auto [digits, negative, hexadecimal] = strip(token);
  if (digits.empty() || digits[0] == '-') return parsed::not_a_number;
  const char* const last = digits.data() + digits.size();
  std::uint64_t magnitude = 0;
  const auto [after, error] = std::from_chars(digits.data(), last, magnitude, hexadecimal ? 16 : 10);
  if (after != last || error == std::errc::invalid_argument) return parsed::not_a_number;
  if (error == std::errc::result_out_of_range) return parsed::out_of_range;
  const auto highest = static_cast<std::uint64_t>(std::numeric_limits<I>::max());
  const std::uint64_t lowest = std::is_signed_v<I> ? highest + 1 : 0;
  if (magnitude > (negative ? lowest : highest)) return parsed::out_of_range;
  value = static_cast<I>(negative ? 0 - magnitude : magnitude);
  return parsed::number;
}

/// The double that the token is rounded to in the given direction (fenv.h); glibc's strtod obeys it.
double rounded(const std::string& token, int direction) {
  const int before = std::fegetround();
  std::fesetround(direction);
  const double value = std::strtod(token.c_str(), nullptr);
  std::fesetround(before);
  return value;
}

/// The token as a T, correctly rounded, where `wide` is it as a double. Only where that is halfway between two T does
/// it matter on which side of it the token is.
template <class T>
T round_once(std::string_view token, double wide) {
  const auto nearest = [](double x) { return onefold::detail::round_to<T>(x); };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double below = std::nextafter(wide, -infinity), above = std::nextafter(wide, infinity);
  if (!std::isfinite(wide) || nearest(below).bits == nearest(above).bits) return nearest(wide);
  const std::string text(token);
  const bool more = rounded(text, FE_UPWARD) > wide, less = rounded(text, FE_DOWNWARD) < wide;
  return nearest(more ? above : less ? below : wide);
}

/// Whether the digits are those of an integer.
bool is_integer(const stripped& s) {
  return !s.digits.empty() &&
         s.digits.find_first_not_of(s.hexadecimal ? "0123456789abcdefABCDEF" : "0123456789") == std::string_view::npos;
}

}  // namespace

template <class T>
parsed parse_number(std::string_view token, T& value) {
  if constexpr (onefold::detail::is_integer<T>) {
    return parse_integer(token, value);
  } else if constexpr (!onefold::detail::is_small_float<T>) {
    return parse_binary(token, value);
  } else {
    double wide = 0;
    const parsed outcome = parse_binary(token, wide);
    if (outcome != parsed::number) return outcome;
    value = round_once<T>(token, wide);
    return std::isinf(static_cast<float>(value)) && !std::isinf(wide) ? parsed::out_of_range : parsed::number;
  }
}

template <class T>
bool is_rounded_integer(std::string_view token, T value) {
  if constexpr (onefold::detail::is_integer<T>) {
    return false;
  } else {
    if (!is_integer(strip(token))) return false;
    const std::string text(token);
    const double low = rounded(text, FE_DOWNWARD);
    if constexpr (onefold::detail::is_small_float<T>)
      return low != rounded(text, FE_UPWARD) || low != static_cast<float>(value);
    else
      return low != rounded(text, FE_UPWARD) || low != value;
  }
}

#define ONEFOLD_INSTANTIATE(T)                        \
  template parsed parse_number(std::string_view, T&); \
  template bool is_rounded_integer(std::string_view, T)
ONEFOLD_INSTANTIATE(float);
ONEFOLD_INSTANTIATE(double);
ONEFOLD_INSTANTIATE(f16);
ONEFOLD_INSTANTIATE(bf16);
ONEFOLD_INSTANTIATE(std::int8_t);
ONEFOLD_INSTANTIATE(std::int16_t);
ONEFOLD_INSTANTIATE(std::int32_t);
ONEFOLD_INSTANTIATE(std::int64_t);
ONEFOLD_INSTANTIATE(std::uint8_t);
ONEFOLD_INSTANTIATE(std::uint16_t);
ONEFOLD_INSTANTIATE(std::uint32_t);
ONEFOLD_INSTANTIATE(std::uint64_t);
#undef ONEFOLD_INSTANTIATE

}  // namespace onefold::cli
