// The bytes of an exact sum. docs/accuracy.md describes them; they stay readable by later versions.
//
//   0   4  the letters 1fxs
//   4   1  the version, 1
//   5   1  what was not finite: 1 +inf, 2 -inf, 4 NaN, or a sum of them
//   6   2  zero
//   8   8  the number of elements
//   16 280 the sum of the finite elements in units of 2^-1074: an integer in two's complement
//
// All integers with their lowest byte first. Equal sums of equally many elements have equal bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "onefold/detail/exact/superaccumulator.hpp"

namespace onefold::detail {

inline constexpr std::size_t serialized_header = 16;
inline constexpr std::size_t serialized_size = serialized_header + 4 * superaccumulator::limbs;

inline namespace ONEFOLD_LEVEL {

inline constexpr unsigned char serialized_start[] = {'1', 'f', 'x', 's', 1};

/// Writes `bytes` bytes of x, the lowest first.
constexpr void write_bytes(std::byte* p, std::uint64_t x, int bytes) {
  for (int i = 0; i < bytes; ++i) p[i] = static_cast<std::byte>(x >> (8 * i));
}
constexpr std::uint64_t read_bytes(const std::byte* p, int bytes) {
  std::uint64_t x = 0;
  for (int i = 0; i < bytes; ++i) x |= static_cast<std::uint64_t>(p[i]) << (8 * i);
  return x;
}

constexpr std::array<std::byte, serialized_size> serialize(superaccumulator a, std::int64_t count) {
  carry(a);
  std::array<std::byte, serialized_size> bytes{};
  for (std::size_t i = 0; i < sizeof serialized_start; ++i) bytes[i] = static_cast<std::byte>(serialized_start[i]);
  bytes[5] = static_cast<std::byte>(a.special);
  write_bytes(&bytes[8], static_cast<std::uint64_t>(count), 8);
  for (std::size_t i = 0; i < superaccumulator::limbs; ++i)
    write_bytes(&bytes[serialized_header + 4 * i], static_cast<std::uint64_t>(a.limb[i]), 4);
  return bytes;
}

/// Null, or what is wrong with the bytes.
constexpr const char* deserialize(const std::byte* p, std::size_t size, superaccumulator& a, std::int64_t& count) {
  if (size != serialized_size) return "they are not 296 bytes";
  static_assert(serialized_size == 296);
  for (std::size_t i = 0; i < sizeof serialized_start; ++i)
    if (p[i] != static_cast<std::byte>(serialized_start[i]))
      return i < 4 ? "they do not begin with 1fxs" : "their version is not 1";
  const auto special = static_cast<std::uint32_t>(p[5]);
  count = static_cast<std::int64_t>(read_bytes(p + 8, 8));
  if (special > 7 || read_bytes(p + 6, 2) != 0 || count < 0) return "their header holds a value that is never written";
  a = {};
  a.special = special;
  for (std::size_t i = 0; i < superaccumulator::limbs; ++i)
    a.limb[i] = static_cast<std::int64_t>(read_bytes(p + serialized_header + 4 * i, 4));
  std::int64_t& highest = a.limb[superaccumulator::limbs - 1];
  highest = static_cast<std::int32_t>(static_cast<std::uint32_t>(highest));
  return nullptr;
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
