// Elements of the other byte order than this machine's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace onefold::detail {

/// Reverses the bytes of each word.
template <class Word>
void swap_words(std::span<std::byte> bytes) {
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(Word)) {
    Word word;
    std::memcpy(&word, &bytes[at], sizeof word);
    if constexpr (sizeof word == 2) word = __builtin_bswap16(word);
    if constexpr (sizeof word == 4) word = __builtin_bswap32(word);
    if constexpr (sizeof word == 8) word = __builtin_bswap64(word);
    std::memcpy(&bytes[at], &word, sizeof word);
  }
}

/// Reverses the bytes of each element of `width` bytes: 1, 2, 4 or 8.
inline void swap_elements(std::span<std::byte> bytes, std::size_t width) {
  if (width == 2) swap_words<std::uint16_t>(bytes);
  if (width == 4) swap_words<std::uint32_t>(bytes);
  if (width == 8) swap_words<std::uint64_t>(bytes);
}

}  // namespace onefold::detail
