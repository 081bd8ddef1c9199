// Instructions of x86-64 that compilers do not find by themselves in code over packs.
//
// With g++ 12, widening f32 to f64 or i32 to i64 by __builtin_convertvector cost two conversions, an extract and an
// insert, and i8 to i32 went element by element (sum of i8 in L2: 2 GB/s against 40, Xeon with AVX-512); clang needs
// no help there. A maximum by comparison and select costs two instructions, and finding NaN another one (max of f32
// in L2: 128 GB/s, where a read loop has 175 and one instruction an element 170).
#pragma once

#ifdef __x86_64__

#include <immintrin.h>

#include <cstdint>

#include "onefold/detail/level.hpp"
#include "onefold/detail/pack_type.hpp"
#include "onefold/types.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

#ifndef __clang__

/// The register that holds x in its low bytes.
template <class X>
ONEFOLD_INLINE auto low_register(X x) {
#ifdef __AVX2__
  if constexpr (sizeof(X) == 32) {
    return __builtin_bit_cast(__m256i, x);
  } else
#endif
      if constexpr (sizeof(X) == 16) {
    return __builtin_bit_cast(__m128i, x);
  } else {
    __m128i r;
    if constexpr (sizeof(X) == 8)
      r = _mm_cvtsi64_si128(__builtin_bit_cast(long long, x));
    else if constexpr (sizeof(X) == 4)
      r = _mm_cvtsi32_si128(__builtin_bit_cast(int, x));
    else
      r = _mm_cvtsi32_si128(__builtin_bit_cast(short, x));
    // Keeps the load apart from the conversion: g++ 12 fails on some of the two together ("could not split insn").
    __asm__("" : "+x"(r));
    return r;
  }
}

struct no_conversion {};

/// The mask register type for this many lanes.
template <int Lanes>
using full_mask =
    std::conditional_t<Lanes <= 8, std::uint8_t, std::conditional_t<Lanes <= 16, std::uint16_t, std::uint32_t>>;

/// The register whose bits are A values widened to B values; no_conversion where there is no such instruction.
/// `mm` makes the intrinsic's call for the result's size, `floats` is the register of half that size.
#define ONEFOLD_WIDEN_INTEGER(mm, from, to, name)       \
  if constexpr (sizeof(A) == from && sizeof(B) == to) { \
    if constexpr (is_signed<A>)                         \
      return mm(cvtepi##name);                          \
    else                                                \
      return mm(cvtepu##name);                          \
  } else
#define ONEFOLD_WIDEN_TO(mm, floats)                                \
  if constexpr (__is_same(A, float) && __is_same(B, double)) {      \
    return mm##_FLOAT(cvtps_pd, floats);                            \
  } else if constexpr (__is_same(A, int) && __is_same(B, double)) { \
    return mm(cvtepi32_pd);                                         \
  } else if constexpr (is_integer<A> && is_integer<B>) {            \
    ONEFOLD_WIDEN_INTEGER(mm, 1, 2, 8_epi16)                        \
    ONEFOLD_WIDEN_INTEGER(mm, 1, 4, 8_epi32)                        \
    ONEFOLD_WIDEN_INTEGER(mm, 2, 4, 16_epi32)                       \
    ONEFOLD_WIDEN_INTEGER(mm, 2, 8, 16_epi64)                       \
    ONEFOLD_WIDEN_INTEGER(mm, 4, 8, 32_epi64)                       \
    return no_conversion{};                                         \
  } else {                                                          \
    return no_conversion{};                                         \
  }
// The masked form with a full mask is the same instruction; the plain one warns of its undefined source (g++ 12).
#define ONEFOLD_MM512(name) _mm512_maskz_##name(static_cast<full_mask<64 / sizeof(B)>>(-1), r)
#define ONEFOLD_MM512_FLOAT(name, floats) _mm512_maskz_##name(static_cast<__mmask8>(-1), __builtin_bit_cast(floats, r))
#define ONEFOLD_MM256(name) _mm256_##name(r)
#define ONEFOLD_MM256_FLOAT(name, floats) _mm256_##name(__builtin_bit_cast(floats, r))
#define ONEFOLD_MM128(name) _mm_##name(r)
#define ONEFOLD_MM128_FLOAT(name, floats) _mm_##name(__builtin_bit_cast(floats, r))

template <class A, class B, int Bytes>
ONEFOLD_INLINE auto widen_register([[maybe_unused]] auto r) {
#ifdef __AVX512F__
  if constexpr (Bytes == 64) {
    ONEFOLD_WIDEN_TO(ONEFOLD_MM512, __m256)
  } else
#endif
#ifdef __AVX2__
      if constexpr (Bytes == 32) {
    ONEFOLD_WIDEN_TO(ONEFOLD_MM256, __m128)
  } else
#endif
#ifdef __SSE4_1__
      if constexpr (Bytes == 16) {
    ONEFOLD_WIDEN_TO(ONEFOLD_MM128, __m128)
  } else
#endif
    return no_conversion{};
}
#undef ONEFOLD_MM512
#undef ONEFOLD_MM512_FLOAT
#undef ONEFOLD_MM256
#undef ONEFOLD_MM256_FLOAT
#undef ONEFOLD_MM128
#undef ONEFOLD_MM128_FLOAT
#undef ONEFOLD_WIDEN_TO
#undef ONEFOLD_WIDEN_INTEGER

/// x converted by one instruction, where there is one.
template <class To, class A, class B, class From>
ONEFOLD_INLINE auto widen_by_instruction(From x) {
  if constexpr (sizeof(From) < sizeof(To) && (sizeof(From) == 2 || sizeof(From) == 4 || sizeof(From) == 8 ||
                                              sizeof(From) == 16 || sizeof(From) == 32)) {
    const auto r = widen_register<A, B, sizeof(To)>(low_register(x));
    if constexpr (__is_same(decltype(r), const no_conversion))
      return r;
    else
      return __builtin_bit_cast(To, r);
  } else {
    return no_conversion{};
  }
}

#endif  // __clang__

// Where an instruction must be this one, it is written in assembly: one text serves registers of every size.
#ifdef __AVX__
#define ONEFOLD_ASSEMBLY(name, r, x, a) __asm__("v" name " %2, %1, %0" : "=v"(r) : "v"(x), "v"(a))
#else
#define ONEFOLD_ASSEMBLY(name, r, x, a) __asm__(name " %2, %0" : "=x"(r) : "0"(x), "x"(a))
#endif

/// x < a ? x : a and x > a ? x : a, by the instructions that are defined so; for V of f32 or f64.
#define ONEFOLD_EXTREME(name, compare)            \
  template <class V>                              \
  ONEFOLD_INLINE V name##_instruction(V x, V a) { \
    V r;                                          \
    if constexpr (sizeof(V) < 16)                 \
      r = x compare a ? x : a;                    \
    else if constexpr (sizeof(value_of<V>) == 4)  \
      ONEFOLD_ASSEMBLY(#name "ps", r, x, a);      \
    else                                          \
      ONEFOLD_ASSEMBLY(#name "pd", r, x, a);      \
    return r;                                     \
  }
ONEFOLD_EXTREME(min, <)
ONEFOLD_EXTREME(max, >)
#undef ONEFOLD_EXTREME
#undef ONEFOLD_ASSEMBLY

#ifdef __FMA__
/// a + b and a - b as 1 * b + a and -(1 * b) + a, by the multiplier; V is a register of f32 or f64. The bits are those
/// of the addition: the product is exact, and the sum is rounded once. Zen 4 multiplies on other pipes than it adds on:
/// what is nothing but additions runs at up to twice the speed with half of them there. The compiler must not see the
/// 1; it knows the instruction, though, and so can choose among its forms (15 % in sums of squares on AVX2).
#ifdef __AVX512F__
#define ONEFOLD_MM(name) _mm512_##name
#else
#define ONEFOLD_MM(name) _mm256_##name
#endif
#define ONEFOLD_MULTIPLIED(instruction, type, a, b)                                                        \
  auto one = ONEFOLD_MM(set1_##type)(1);                                                                   \
  __asm__("" : "+v"(one));                                                                                 \
  return __builtin_bit_cast(V, ONEFOLD_MM(instruction##_##type)(__builtin_bit_cast(decltype(one), b), one, \
                                                                __builtin_bit_cast(decltype(one), a)));
template <class V>
ONEFOLD_INLINE V add_by_multiplier(V a, V b) {
  if constexpr (sizeof(value_of<V>) == 4) {
    ONEFOLD_MULTIPLIED(fmadd, ps, a, b)
  } else {
    ONEFOLD_MULTIPLIED(fmadd, pd, a, b)
  }
}
template <class V>
ONEFOLD_INLINE V subtract_by_multiplier(V a, V b) {
  if constexpr (sizeof(value_of<V>) == 4) {
    ONEFOLD_MULTIPLIED(fnmadd, ps, a, b)
  } else {
    ONEFOLD_MULTIPLIED(fnmadd, pd, a, b)
  }
}
#undef ONEFOLD_MULTIPLIED
#undef ONEFOLD_MM
#endif

/// Stores a register's worth past the caches; `to` is aligned to its size.
template <class V>
ONEFOLD_INLINE void store_past_caches(void* to, V x) {
#ifdef __AVX512F__
  if constexpr (sizeof(V) == 64) return _mm512_stream_si512(static_cast<__m512i*>(to), __builtin_bit_cast(__m512i, x));
#endif
#ifdef __AVX__
  if constexpr (sizeof(V) == 32) return _mm256_stream_si256(static_cast<__m256i*>(to), __builtin_bit_cast(__m256i, x));
#endif
  if constexpr (sizeof(V) == 16)
    _mm_stream_si128(static_cast<__m128i*>(to), __builtin_bit_cast(__m128i, x));
  else
    __builtin_memcpy(to, &x, sizeof x);
}
/// What was stored past the caches is seen before what is stored from now on.
ONEFOLD_INLINE void order_stores() { _mm_sfence(); }

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail

#endif  // __x86_64__
