// Converts initial values to result types by their bits, so that no floating-point environment takes part.
#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>

#include "cpu.hpp"
#include "onefold/catalog.hpp"
#include "onefold/detail/engine.hpp"
#include "onefold/detail/exact/rounding.hpp"
#include "onefold/error.hpp"

namespace onefold::detail {
namespace {

/// Any initial value: a front, where `special` is 0.
struct number {
  front value{};
  std::uint32_t special = 0;

  static number from(std::monostate) { return {}; }
  static number from(std::uint64_t size, bool negative, int exponent) {
    const int shift = size ? normalize(size) : 0;
    return {{size, exponent - shift, false, negative}, 0};
  }
  static number from(std::uint64_t x) { return from(x, false, 0); }
  static number from(std::int64_t x) {
    return from(x < 0 ? -static_cast<std::uint64_t>(x) : static_cast<std::uint64_t>(x), x < 0, 0);
  }
  static number from(double x) {
    const fields f = fields::of(x);
    if (f.nan) return {{}, not_a_number};
    if (f.infinite) return {{}, f.negative ? negative_infinity : positive_infinity};
    const auto size = static_cast<std::uint64_t>(f.negative ? -f.significand : f.significand);
    return from(size, f.negative, format_of<double>::lowest + f.shift);
  }
};

/// The number as an R; nothing if R cannot hold it.
template <class R>
std::optional<R> value_as(const number& x) {
  if constexpr (std::is_same_v<R, bool>) {
    return x.special != 0 || x.value.bits != 0;
  } else if constexpr (is_float<R>) {
    using B = typename format_of<R>::bits;
    if (x.special) return special_value<R>(x.special);
    if (x.value.bits == 0) return with_bits<R>(static_cast<B>(B{x.value.negative} << (8 * sizeof(B) - 1)));
    const R rounded = round_front<R>(x.value).value;
    if (fields::of(rounded).infinite) return std::nullopt;
    return rounded;
  } else {
    if (x.special) return std::nullopt;
    if (x.value.bits == 0) return R{0};
    // The highest of the 64 bits is set: integers of R are shifted to the right, by nothing but zeros.
    const int shift = -x.value.exponent;
    if (shift < 0 || shift > 63) return std::nullopt;
    const std::uint64_t size = x.value.bits >> shift;
    const std::uint64_t most = static_cast<std::uint64_t>(std::numeric_limits<R>::max());
    if (size << shift != x.value.bits || size > (x.value.negative ? is_signed<R> ? most + 1 : 0 : most))
      return std::nullopt;
    return static_cast<R>(x.value.negative ? -size : size);
  }
}

[[noreturn]] void refuse_initial(const initial& init, dtype result) {
  const float_environment ieee;
  char text[64];
  char* const end = std::visit(
      [&]<class X>(const X& x) {
        if constexpr (std::is_same_v<X, std::monostate>)
          return static_cast<char*>(text);
        else
          return std::to_chars(text, text + sizeof text, x).ptr;
      },
      init.value());
  throw error(error_code::invalid_argument,
              "the initial value " + std::string(text, end) + " does not fit the result type " + name_of(result));
}

}  // namespace

void convert_initial_value(const initial& init, dtype result, void* value) {
  const number x = std::visit([](const auto& given) { return number::from(given); }, init.value());
  const auto convert = [&]<class R>() {
    if (result != dtype_of<R>) return;
    const std::optional<R> r = value_as<R>(x);
    if (!r) refuse_initial(init, result);
    *static_cast<R*>(value) = *r;
  };
  for_each_type(element_types{}, convert);
  convert.template operator()<bool>();
}

}  // namespace onefold::detail
