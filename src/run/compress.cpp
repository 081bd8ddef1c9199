#include "run/compress.hpp"

#include <bit>
#include <cstring>

#include "run/mask_words.hpp"

namespace onefold::detail {
namespace {

// Of so few in a word each is looked for; of more all 64 are copied, each over the last one that was not selected.
constexpr int few = 16;

/// The elements of one word; `full`: there are 64.
template <int Bytes>
void compress_word(const char* from, std::uint64_t word, int selected, bool full, char* to) {
  if (selected == 64) {
    std::memcpy(to, from, 64 * Bytes);
  } else if (selected <= few || !full) {
    for (; word != 0; word &= word - 1, to += Bytes) std::memcpy(to, from + std::countr_zero(word) * Bytes, Bytes);
  } else {
    for (int i = 0; i < 64; ++i, word >>= 1) {
      std::memcpy(to, from + i * Bytes, Bytes);
      to += (word & 1) * Bytes;
    }
  }
}

template <int Bytes>
compressed compress_as(const masked& from, std::int64_t enough, char* to) {
  compressed done{0, 0};
  while (done.words < words_for(from.n) && done.elements <= enough) {
    const std::uint64_t word = from.words[done.words];
    const int selected = std::popcount(word);
    compress_word<Bytes>(from.data + done.words * 64 * Bytes, word, selected, done.words < from.n / 64,
                         to + done.elements * Bytes);
    done.elements += selected;
    ++done.words;
  }
  return done;
}

compressed compress_any(const masked& from, std::int64_t size, std::int64_t enough, char* to) {
  compressed done{0, 0};
  for (; done.words < words_for(from.n) && done.elements <= enough; ++done.words)
    for (std::uint64_t word = from.words[done.words]; word != 0; word &= word - 1, ++done.elements)
      std::memcpy(to + done.elements * size, from.data + (done.words * 64 + std::countr_zero(word)) * size,
                  static_cast<std::size_t>(size));
  return done;
}

}  // namespace

compressed compress(const masked& from, std::int64_t element_size, std::int64_t enough, char* to) {
  switch (element_size) {
    case 1:
      return compress_as<1>(from, enough, to);
    case 2:
      return compress_as<2>(from, enough, to);
    case 4:
      return compress_as<4>(from, enough, to);
    case 8:
      return compress_as<8>(from, enough, to);
    default:
      return compress_any(from, element_size, enough, to);
  }
}

}  // namespace onefold::detail
