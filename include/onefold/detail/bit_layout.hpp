// What the bits of an element type say, for code that looks at elements without arithmetic.
#pragma once

#include <cstdint>

#include "onefold/types.hpp"

namespace onefold::detail {

/// The bits of a type of up to 64 bits.
struct bit_layout {
  std::uint64_t sign;      ///< the bit of the sign; 0: there is none
  std::uint64_t infinity;  ///< the bits of infinity; 0: the type is an integer
};

constexpr bit_layout bit_layout_of(dtype type) {
  switch (type) {
    case dtype::f32:
      return {0x8000'0000u, 0x7f80'0000u};
    case dtype::f64:
      return {std::uint64_t{1} << 63, 0x7ff0'0000'0000'0000u};
    case dtype::f16:
      return {0x8000u, 0x7c00u};
    case dtype::bf16:
      return {0x8000u, 0x7f80u};
    case dtype::i8:
    case dtype::i16:
    case dtype::i32:
    case dtype::i64:
      return {std::uint64_t{1} << (8 * size_of(type) - 1), 0};
    default:
      return {0, 0};
  }
}

}  // namespace onefold::detail
