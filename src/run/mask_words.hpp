// Masks of any kind as words of 64 bits: bit i of a word is set where element i of 64 neighbors is selected.
#pragma once

#include <cstdint>

#include "onefold/types.hpp"

namespace onefold::detail {

/// Words for n elements; bits beyond them are 0.
constexpr std::int64_t words_for(std::int64_t n) { return (n + 63) / 64; }

/// From n bytes, of which those that are not 0 select.
void words_of_bytes(const unsigned char* mask, std::int64_t n, std::uint64_t* words);

/// From the n bits from bit `first` of `mask` on, counted from the lowest bit of the first byte.
void words_of_bits(const unsigned char* mask, std::int64_t first, std::int64_t n, std::uint64_t* words);

/// From n numbers of a floating-point type, at any address: those that are not NaN.
void words_of_numbers(dtype type, const void* numbers, std::int64_t n, std::uint64_t* words);

/// The selected ones of a word but the first n.
inline std::uint64_t without_first(std::uint64_t word, std::int64_t n) {
  for (; n > 0; --n) word &= word - 1;
  return word;
}

}  // namespace onefold::detail
