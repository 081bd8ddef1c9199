#include "run/expand.hpp"

#include <bit>
#include <cstring>

#include "run/mask_words.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace onefold::detail {
namespace {

template <class Bits>
void set_all(char* to, std::int64_t n, Bits fill) {
  for (std::int64_t i = 0; i < n; ++i) std::memcpy(to + i * std::int64_t{sizeof fill}, &fill, sizeof fill);
}

/// Writes the 64 places of a word: one by one, where the next element is taken or not.
template <class Bits>
struct scalar_spread {
  static void copy(const char* from, std::uint64_t word, Bits fill, char* to) {
    for (int i = 0; i < 64; ++i, word >>= 1) {
      Bits x;
      std::memcpy(&x, from, sizeof x);
      x = word & 1 ? x : fill;
      std::memcpy(to + i * int{sizeof x}, &x, sizeof x);
      from += (word & 1) * sizeof x;
    }
  }
};

#if defined(__x86_64__)

/// 8 bytes at once, of elements of 2.
struct bmi2_spread {
  [[gnu::target("bmi2,popcnt")]] static void copy(const char* from, std::uint64_t word, std::uint16_t fill, char* to) {
    const std::uint64_t fills = std::uint64_t{0x0001000100010001} * fill;
    for (int i = 0; i < 64; i += 4, word >>= 4) {
      const std::uint64_t kept = _pdep_u64(word, 0x0001000100010001) * 0xffff;
      std::uint64_t x;
      std::memcpy(&x, from, 8);
      x = _pdep_u64(x, kept) | (fills & ~kept);
      std::memcpy(to + i * 2, &x, 8);
      from += std::popcount(kept) / 8;
    }
  }
};

/// A vector of 32 bytes at once; which element a place gets is the number of selected places before it.
template <class Bits>
struct avx2_spread {
  [[gnu::target("avx2,bmi2,popcnt")]] static void copy(const char* from, std::uint64_t word, Bits fill, char* to) {
    constexpr int bytes = sizeof(Bits), each = 32 / bytes;
    const __m256i fills =
        bytes == 4 ? _mm256_set1_epi32(static_cast<int>(fill)) : _mm256_set1_epi64x(static_cast<long long>(fill));
    for (int i = 0; i < 64; i += each, word >>= each) {
      // A byte for each number of 4 bytes: 1 where it is selected, then how many are before it.
      const std::uint64_t ones =
          bytes == 4 ? _pdep_u64(word, 0x0101010101010101) : _pdep_u64(word, 0x0001000100010001) * 0x0101;
      const std::uint64_t before = ones * 0x0101010101010101 - ones;
      const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
      const __m256i which = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(before)));
      const __m256i selects = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(ones)));
      const __m256i spread = _mm256_permutevar8x32_epi32(x, which);
      const __m256i kept = _mm256_cmpgt_epi32(selects, _mm256_setzero_si256());
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i * bytes), _mm256_blendv_epi8(fills, spread, kept));
      from += std::popcount(ones) * 4;
    }
  }
};

/// A vector of 64 bytes at once.
template <class Bits>
struct avx512_spread {
  [[gnu::target("avx512f,popcnt")]] static void copy(const char* from, std::uint64_t word, Bits fill, char* to) {
    constexpr int bytes = sizeof(Bits), each = 64 / bytes;
    for (int i = 0; i < 64; i += each, word >>= each) {
      const __m512i x = _mm512_loadu_si512(from);
      const __m512i spread = bytes == 4 ? _mm512_mask_expand_epi32(_mm512_set1_epi32(static_cast<int>(fill)),
                                                                   static_cast<__mmask16>(word), x)
                                        : _mm512_mask_expand_epi64(_mm512_set1_epi64(static_cast<long long>(fill)),
                                                                   static_cast<__mmask8>(word), x);
      _mm512_storeu_si512(to + i * bytes, spread);
      from += std::popcount(word & ((std::uint64_t{1} << each) - 1)) * bytes;
    }
  }
};

#endif

/// Word by word from the last one on, so that no element is overwritten before it is read.
template <class Bits, class Spread>
void expand_by(const char* from, const expansion& by, char* to) {
  constexpr std::int64_t bytes = sizeof(Bits);
  const Bits fill = static_cast<Bits>(by.fill);
  std::int64_t left = by.selected;
  for (std::int64_t w = words_for(by.n); w-- > 0;) {
    const std::uint64_t word = by.words[w];
    const std::int64_t here = by.n - w * 64 < 64 ? by.n - w * 64 : 64;
    const int selected = std::popcount(word);
    left -= selected;
    char* const places = to + w * 64 * bytes;
    if (selected == 0) {
      set_all(places, here, fill);
    } else if (selected == here) {
      std::memmove(places, from + left * bytes, static_cast<std::size_t>(here * bytes));
    } else {
      char elements[64 * bytes + 64], spread[64 * bytes];  // and a vector that is read beyond them
      std::memcpy(elements, from + left * bytes, sizeof spread);
      Spread::copy(elements, word, fill, spread);
      std::memcpy(places, spread, static_cast<std::size_t>(here * bytes));
    }
  }
}

template <class Bits>
void expand_as(const char* from, const expansion& by, [[maybe_unused]] isa level, char* to) {
#if defined(__x86_64__)
  if constexpr (sizeof(Bits) >= 4) {
    if (level == isa::x86_64_v4) return expand_by<Bits, avx512_spread<Bits>>(from, by, to);
    if (level == isa::x86_64_v3) return expand_by<Bits, avx2_spread<Bits>>(from, by, to);
  } else {
    if (level == isa::x86_64_v3 || level == isa::x86_64_v4) return expand_by<Bits, bmi2_spread>(from, by, to);
  }
#endif
  expand_by<Bits, scalar_spread<Bits>>(from, by, to);
}

}  // namespace

void expand(const void* from, const expansion& by, std::int64_t element_size, isa level, void* to) {
  const auto* const elements = static_cast<const char*>(from);
  auto* const places = static_cast<char*>(to);
  switch (element_size) {
    case 2:
      return expand_as<std::uint16_t>(elements, by, level, places);
    case 4:
      return expand_as<std::uint32_t>(elements, by, level, places);
    default:
      return expand_as<std::uint64_t>(elements, by, level, places);
  }
}

}  // namespace onefold::detail
