#include "run/compress.hpp"

#include <bit>
#include <cstring>

#include "run/mask_words.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace onefold::detail {
namespace {

// Of so few in a word each is looked for; of more all 64 are looked at.
constexpr int few_set = 12;

/// Copies the elements of a full word, 64 of them, one by one: each over the last one that was not selected.
template <int Bytes>
struct scalar_word {
  static void copy(const char* from, std::uint64_t word, char* to) {
    for (int i = 0; i < 64; ++i, word >>= 1) {
      std::memcpy(to, from + i * Bytes, Bytes);
      to += (word & 1) * Bytes;
    }
  }
};

#if defined(__x86_64__)

/// 8 bytes at once, of small elements.
template <int Bytes>
struct bmi2_word {
  [[gnu::target("bmi2,popcnt")]] static void copy(const char* from, std::uint64_t word, char* to) {
    constexpr int each = 8 / Bytes;
    for (int i = 0; i < 64; i += each, word >>= each) {
      constexpr std::uint64_t lowest = Bytes == 1 ? 0x0101010101010101 : 0x0001000100010001;
      std::uint64_t x;
      std::memcpy(&x, from + i * Bytes, 8);
      const std::uint64_t kept = _pdep_u64(word, lowest) * (Bytes == 1 ? 0xff : 0xffff);
      x = _pext_u64(x, kept);
      std::memcpy(to, &x, 8);
      to += std::popcount(kept) / 8;
    }
  }
};

/// A vector of 32 bytes at once; where its elements go is computed, as numbers of 4 bytes.
template <int Bytes>
struct avx2_word {
  [[gnu::target("avx2,bmi2,popcnt")]] static void copy(const char* from, std::uint64_t word, char* to) {
    constexpr int each = 32 / Bytes;
    for (int i = 0; i < 64; i += each, word >>= each) {
      const std::uint64_t kept =
          Bytes == 4 ? _pdep_u64(word, 0x0101010101010101) * 0xff : _pdep_u64(word, 0x0001000100010001) * 0xffff;
      const std::uint64_t places = _pext_u64(0x0706050403020100, kept);
      const __m256i which = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(places)));
      const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i * Bytes));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_permutevar8x32_epi32(x, which));
      to += std::popcount(kept) / 8 * 4;
    }
  }
};

/// A vector of 64 bytes at once.
template <int Bytes>
struct avx512_word {
  [[gnu::target("avx512f,popcnt")]] static void copy(const char* from, std::uint64_t word, char* to) {
    constexpr int each = 64 / Bytes;
    for (int i = 0; i < 64; i += each, word >>= each) {
      const __m512i x = _mm512_loadu_si512(from + i * Bytes);
      // To a register first: compressing stores take several times as long on AMD's.
      const __m512i kept = Bytes == 4 ? _mm512_maskz_compress_epi32(static_cast<__mmask16>(word), x)
                                      : _mm512_maskz_compress_epi64(static_cast<__mmask8>(word), x);
      _mm512_storeu_si512(to, kept);
      to += std::popcount(word & ((std::uint64_t{1} << each) - 1)) * Bytes;
    }
  }
};

#endif

template <int Bytes, class Word>
compressed compress_by(const masked& from, std::int64_t enough, char* to) {
  compressed done{0, 0};
  for (; done.words < words_for(from.n) && done.elements <= enough; ++done.words) {
    std::uint64_t word = from.words[done.words];
    const char* const x = from.data + done.words * 64 * Bytes;
    const int selected = std::popcount(word);
    if (selected == 64) {
      std::memcpy(to, x, 64 * Bytes);
    } else if (selected > few_set && done.words < from.n / 64) {
      Word::copy(x, word, to);
    } else {
      for (int i = 0; word != 0; word &= word - 1, ++i)
        std::memcpy(to + i * Bytes, x + std::countr_zero(word) * Bytes, Bytes);
    }
    done.elements += selected;
    to += selected * Bytes;
  }
  return done;
}

template <int Bytes>
compressed compress_as(const masked& from, [[maybe_unused]] isa level, std::int64_t enough, char* to) {
#if defined(__x86_64__)
  if constexpr (Bytes >= 4) {
    if (level == isa::x86_64_v4) return compress_by<Bytes, avx512_word<Bytes>>(from, enough, to);
    if (level == isa::x86_64_v3) return compress_by<Bytes, avx2_word<Bytes>>(from, enough, to);
  } else {
    if (level == isa::x86_64_v3 || level == isa::x86_64_v4)
      return compress_by<Bytes, bmi2_word<Bytes>>(from, enough, to);
  }
#endif
  return compress_by<Bytes, scalar_word<Bytes>>(from, enough, to);
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

compressed compress(const masked& from, std::int64_t element_size, isa level, std::int64_t enough, char* to) {
  switch (element_size) {
    case 1:
      return compress_as<1>(from, level, enough, to);
    case 2:
      return compress_as<2>(from, level, enough, to);
    case 4:
      return compress_as<4>(from, level, enough, to);
    case 8:
      return compress_as<8>(from, level, enough, to);
    default:
      return compress_any(from, element_size, enough, to);
  }
}

}  // namespace onefold::detail
