// Loops that only read an array, one cheap operation a vector, with the widest vectors there are.
#include "measure/reader.hpp"

#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace onefold::measure {
namespace {

constexpr std::int64_t page = 16 << 10, streams = 4, block = streams * page;

// Eight vectors a step, each OR-ed into an accumulator of its own: `near` is the distance of two neighbors,
// `far` the one of two pairs. `bytes` is a multiple of 512.
#define ONEFOLD_READER(name, target, vector, load, either)                                                     \
  target std::uint64_t name##_span(const char* p, std::int64_t span, std::int64_t step, std::int64_t far) {    \
    constexpr std::int64_t near = sizeof(vector);                                                              \
    vector a{}, b{}, c{}, d{}, e{}, f{}, g{}, h{};                                                             \
    for (const char* end = p + span; p != end; p += step) {                                                    \
      a = either(a, load(p)), b = either(b, load(p + near));                                                   \
      c = either(c, load(p + far)), d = either(d, load(p + far + near));                                       \
      e = either(e, load(p + 2 * far)), f = either(f, load(p + 2 * far + near));                               \
      g = either(g, load(p + 3 * far)), h = either(h, load(p + 3 * far + near));                               \
    }                                                                                                          \
    a = either(either(either(a, b), either(c, d)), either(either(e, f), either(g, h)));                        \
    std::uint64_t word;                                                                                        \
    std::memcpy(&word, &a, sizeof word);                                                                       \
    return word;                                                                                               \
  }                                                                                                            \
  std::uint64_t name(const char* p, std::int64_t bytes) {                                                      \
    return name##_span(p, bytes, 8 * sizeof(vector), 2 * sizeof(vector));                                      \
  }                                                                                                            \
  std::uint64_t name##_streams(const char* p, std::int64_t bytes) {                                            \
    std::uint64_t word = 0;                                                                                    \
    for (; bytes >= block; p += block, bytes -= block) word |= name##_span(p, page, 2 * sizeof(vector), page); \
    return word | name(p, bytes);                                                                              \
  }

#if defined(__x86_64__)
#define ONEFOLD_LOAD_512(p) _mm512_loadu_si512(p)
#define ONEFOLD_LOAD_256(p) _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))
#define ONEFOLD_LOAD_128(p) _mm_loadu_si128(reinterpret_cast<const __m128i*>(p))
ONEFOLD_READER(read_512, [[gnu::target("avx512f")]], __m512i, ONEFOLD_LOAD_512, _mm512_or_si512)
ONEFOLD_READER(read_256, [[gnu::target("avx2")]], __m256i, ONEFOLD_LOAD_256, _mm256_or_si256)
ONEFOLD_READER(read_128, , __m128i, ONEFOLD_LOAD_128, _mm_or_si128)
#else
typedef std::uint64_t words __attribute__((vector_size(16)));
inline words load_words(const char* p) {
  words x;
  std::memcpy(&x, p, sizeof x);
  return x;
}
inline words or_words(words x, words y) { return x | y; }
ONEFOLD_READER(read_128, , words, load_words, or_words)
#endif

}  // namespace

reader widest_reader() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f")) return {"AVX-512", read_512, read_512_streams};
  if (__builtin_cpu_supports("avx2")) return {"AVX2", read_256, read_256_streams};
#endif
  return {"128-bit", read_128, read_128_streams};
}

}  // namespace onefold::measure
