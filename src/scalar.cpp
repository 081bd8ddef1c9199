// One number of a result as text.
#include <charconv>
#include <cmath>
#include <cstring>

#include "cpu.hpp"
#include "onefold/dynamic.hpp"

namespace onefold {
namespace {

template <class F>
std::string shortest(F x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x < 0 ? "-inf" : "inf";
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, x).ptr};
}

template <class T>
T value_from(std::uint64_t bits) {
  T x;
  std::memcpy(static_cast<void*>(&x), &bits, sizeof x);
  return x;
}

}  // namespace

std::string scalar::text() const {
  const detail::float_environment ieee;  // where subnormals are taken for zeros, they print as such
  switch (type) {
    case dtype::f32:
      return shortest(value_from<float>(bits));
    case dtype::f64:
      return shortest(value_from<double>(bits));
    case dtype::f16:
      return shortest(static_cast<float>(value_from<f16>(bits)));
    case dtype::bf16:
      return shortest(static_cast<float>(value_from<bf16>(bits)));
    case dtype::i8:
      return std::to_string(value_from<std::int8_t>(bits));
    case dtype::i16:
      return std::to_string(value_from<std::int16_t>(bits));
    case dtype::i32:
      return std::to_string(value_from<std::int32_t>(bits));
    case dtype::i64:
      return std::to_string(value_from<std::int64_t>(bits));
    case dtype::u8:
    case dtype::u16:
    case dtype::u32:
    case dtype::u64:
      return std::to_string(bits);
    case dtype::boolean:
      return bits ? "true" : "false";
    case dtype::other:
      break;
  }
  return "?";
}

std::string scalar::hex() const {
  static constexpr char digit[] = "0123456789abcdef";
  if (size_of(type) == 0) return "?";
  std::string t = "0x";
  for (int shift = 8 * size_of(type) - 4; shift >= 0; shift -= 4) t += digit[(bits >> shift) & 15];
  return t;
}

}  // namespace onefold
