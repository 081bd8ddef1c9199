#include "run/key_ranks.hpp"

#include <cstring>

namespace onefold::detail {
namespace {

/// What a type's bits say.
struct layout {
  std::uint64_t sign;      ///< the bit of the sign; 0: there is none
  std::uint64_t infinity;  ///< the bits of infinity; 0: the type is an integer
};

layout layout_of(dtype type) {
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

// Keys of a size share an instance. No arithmetic of floating-point numbers, which may take subnormals for zeros.
template <class Word>
void rank_words(const void* keys, layout of, std::int64_t n, std::uint64_t* ranks) {
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
  const layout of = layout_of(type);
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
  const layout of = layout_of(type);
  if (of.infinity == 0) return {0, ~std::uint64_t{0}};
  return {of.sign - of.infinity, of.sign | of.infinity};
}

}  // namespace onefold::detail
