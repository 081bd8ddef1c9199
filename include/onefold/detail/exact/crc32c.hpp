// CRC-32C (Castagnoli): the check sum of stored sums.
//
// Of up to 655 bytes it tells any five flipped bits (Koopman 2002, "32-bit cyclic redundancy codes for Internet
// applications"). Written here, because a library for 15 lines would be one that every user of the header installs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "onefold/detail/level.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

constexpr std::uint32_t crc32c(const std::byte* p, std::size_t size) {
  constexpr std::uint32_t polynomial = 0x82f63b78u;  // x^32 is left out, the lowest bit is that of x^31
  std::uint32_t of_nibble[16]{};
  for (std::uint32_t i = 0; i < 16; ++i) {
    std::uint32_t r = i;
    for (int k = 0; k < 4; ++k) r = r >> 1 ^ (r & 1 ? polynomial : 0);
    of_nibble[i] = r;
  }
  std::uint32_t crc = ~0u;
  for (std::size_t i = 0; i < size; ++i) {
    crc ^= static_cast<std::uint32_t>(p[i]);
    crc = crc >> 4 ^ of_nibble[crc & 15];
    crc = crc >> 4 ^ of_nibble[crc & 15];
  }
  return ~crc;
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
