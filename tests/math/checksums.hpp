// Checksums of the functions' results, and the recorded ones: every level, compiler and GPU must have them.
#pragma once

#include <cstdint>

namespace math {

/// The checksum of a function's results over argument32 or argument64, all of them.
struct golden {
  const char* function;
  int bytes;
  std::uint64_t sum;
};
inline constexpr golden recorded[] = {
#include "golden.inc"
};

/// A block of f32 arguments: those whose bits have the block's number in the upper 8. Of each block the lower 32 bits
/// of the checksums over it, in the order of ONEFOLD_MATH_FUNCTIONS.
inline constexpr int blocks = 256;
inline constexpr std::int64_t block_size = 1 << 24;
inline constexpr int functions = 10;
inline constexpr std::uint32_t recorded_blocks[blocks][functions] = {
#include "blocks.inc"
};

}  // namespace math
