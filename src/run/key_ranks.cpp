#include "run/key_ranks.hpp"

#include <cstring>

#include "onefold/detail/bit_layout.hpp"

namespace onefold::detail {
namespace {

// Keys of a size share an instance. No arithmetic of floating-point numbers, which may take subnormals for zeros.
template <class Word>
void rank_words(const void* keys, bit_layout of, std::int64_t n, std::uint64_t* ranks) {
  const auto sign = static_cast<Word>(of.sign);
  const auto key = [&](std::int64_t i) {
    Word word;
    std::memcpy(&word, static_cast<const char*>(keys) + i * static_cast<std::int64_t>(sizeof word), sizeof word);
    return word;
  };
  if (of.infinity == 0) {
    for (std::int64_t i = 0; i < n; ++i) ranks[i] = static_cast<Word>(key(i) ^ sign);
  } else {  // negative numbers fall as their bits grow; both zeros have the sign's rank
    for (std::int64_t i = 0; i < n; ++i) ranks[i] = static_cast<Word>(key(i) & sign ? Word{0} - key(i) : key(i) | sign);
  }
}

}  // namespace

void rank_keys(const void* keys, dtype type, std::int64_t n, std::uint64_t* ranks) {
  const bit_layout of = bit_layout_of(type);
  switch (size_of(type)) {
    case 1:
      return rank_words<std::uint8_t>(keys, of, n, ranks);
    case 2:
      return rank_words<std::uint16_t>(keys, of, n, ranks);
    case 4:
      return rank_words<std::uint32_t>(keys, of, n, ranks);
    default:
      return rank_words<std::uint64_t>(keys, of, n, ranks);
  }
}

rank_limits limits_of(dtype type) {
  const bit_layout of = bit_layout_of(type);
  if (of.infinity == 0) return {0, ~std::uint64_t{0}};
  return {of.sign - of.infinity, of.sign | of.infinity};
}

}  // namespace onefold::detail
