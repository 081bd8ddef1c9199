#include "run/mask_words.hpp"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace onefold::detail {
namespace {

template <class Number>
Number load(const void* p) {
  Number x;
  std::memcpy(&x, p, sizeof x);
  return x;
}

#if defined(__x86_64__)

std::uint64_t word_of_bytes(const unsigned char* mask) {
  std::uint64_t unset = 0;
  for (int i = 0; i < 4; ++i) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(mask + 16 * i));
    const int zeros = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_setzero_si128()));
    unset |= std::uint64_t{static_cast<std::uint32_t>(zeros)} << 16 * i;
  }
  return ~unset;
}

#else

// One bit for each of 8 bytes, the first byte's the lowest; all architectures that onefold has are little-endian.
std::uint64_t bits_of_bytes(std::uint64_t bytes) {
  constexpr std::uint64_t low = 0x7f7f7f7f7f7f7f7f;
  const std::uint64_t set = (((bytes & low) + low) | bytes) & ~low;  // the highest bit of each byte that is not 0
  return ((set >> 7) * 0x0102040810204080) >> 56;
}

std::uint64_t word_of_bytes(const unsigned char* mask) {
  std::uint64_t word = 0;
  for (int i = 0; i < 8; ++i) word |= bits_of_bytes(load<std::uint64_t>(mask + 8 * i)) << 8 * i;
  return word;
}

#endif

/// Words of n numbers by what says whether one is a number; the comparisons of 64 are vectorized.
template <class Number, class IsNumber>
void words_by(const char* x, std::int64_t n, std::uint64_t* words, IsNumber is_number) {
  alignas(64) unsigned char selects[64];
  for (; n > 0; n -= 64, x += 64 * sizeof(Number), ++words) {
    if (n >= 64) {
      for (std::size_t i = 0; i < 64; ++i) selects[i] = is_number(load<Number>(x + i * sizeof(Number)));
    } else {
      std::memset(selects, 0, sizeof selects);
      for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i)
        selects[i] = is_number(load<Number>(x + i * sizeof(Number)));
    }
    *words = word_of_bytes(selects);
  }
}

}  // namespace

void words_of_bytes(const unsigned char* mask, std::int64_t n, std::uint64_t* words) {
  for (; n >= 64; n -= 64, mask += 64) *words++ = word_of_bytes(mask);
  if (n == 0) return;
  unsigned char rest[64] = {};
  std::memcpy(rest, mask, static_cast<std::size_t>(n));
  *words = word_of_bytes(rest);
}

void words_of_bits(const unsigned char* mask, std::int64_t first, std::int64_t n, std::uint64_t* words) {
  mask += first >> 3;
  const int shift = static_cast<int>(first & 7);
  for (; n >= 64; n -= 64, mask += 8) {
    const std::uint64_t low = load<std::uint64_t>(mask) >> shift;
    *words++ = shift == 0 ? low : low | std::uint64_t{mask[8]} << (64 - shift);
  }
  if (n == 0) return;
  unsigned char rest[16] = {};  // no byte after the last bit is read
  std::memcpy(rest, mask, static_cast<std::size_t>((shift + n + 7) / 8));
  std::uint64_t low = load<std::uint64_t>(rest) >> shift;
  if (shift > 0) low |= std::uint64_t{rest[8]} << (64 - shift);
  *words = low & ((std::uint64_t{1} << n) - 1);
}

void words_of_numbers(dtype type, const void* numbers, std::int64_t n, std::uint64_t* words) {
  const char* const x = static_cast<const char*>(numbers);
  switch (type) {
    case dtype::f32:
      return words_by<float>(x, n, words, [](float v) { return v == v; });
    case dtype::f64:
      return words_by<double>(x, n, words, [](double v) { return v == v; });
    case dtype::f16:
      return words_by<std::uint16_t>(x, n, words, [](std::uint16_t v) { return (v & 0x7fff) <= 0x7c00; });
    default:  // bf16
      return words_by<std::uint16_t>(x, n, words, [](std::uint16_t v) { return (v & 0x7fff) <= 0x7f80; });
  }
}

}  // namespace onefold::detail
