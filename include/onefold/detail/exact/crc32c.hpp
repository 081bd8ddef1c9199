// CRC-32C (Castagnoli): the check sum of stored sums.
//
// Of up to 655 bytes it tells any five flipped bits (Koopman 2002, "32-bit cyclic redundancy codes for Internet
// applications"). Written here, because a library for 30 lines would be one that every user of the header installs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "onefold/detail/level.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// What a byte leaves that 0 to 7 zero bytes come after: eight bytes at a time (Kounavis & Berry 2005, "A systematic
/// approach to building high performance software-based CRC generators").
struct crc32c_tables {
  std::uint32_t after[8][256]{};
  constexpr crc32c_tables() {
    constexpr std::uint32_t polynomial = 0x82f63b78u;  // x^32 is left out, the lowest bit is that of x^31
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t r = i;
      for (int k = 0; k < 8; ++k) r = r >> 1 ^ (r & 1 ? polynomial : 0);
      after[0][i] = r;
    }
    for (int zeros = 1; zeros < 8; ++zeros)
      for (std::uint32_t i = 0; i < 256; ++i) {
        const std::uint32_t r = after[zeros - 1][i];
        after[zeros][i] = r >> 8 ^ after[0][r & 255];
      }
  }
};
inline constexpr crc32c_tables crc32c_of_bytes;

constexpr std::uint32_t crc32c(const std::byte* p, std::size_t size) {
  const auto& after = crc32c_of_bytes.after;
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(p[i]); };
  std::uint32_t crc = ~0u;
  for (; size >= 8; size -= 8, p += 8) {
    crc ^= byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24;
    crc = after[7][crc & 255] ^ after[6][crc >> 8 & 255] ^ after[5][crc >> 16 & 255] ^ after[4][crc >> 24] ^
          after[3][byte(4)] ^ after[2][byte(5)] ^ after[1][byte(6)] ^ after[0][byte(7)];
  }
  for (std::size_t i = 0; i < size; ++i) crc = crc >> 8 ^ after[0][(crc ^ byte(i)) & 255];
  return ~crc;
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
