// The vector intrinsics that onefold's headers use, without <immintrin.h>: for operations as text, compiled by g++.
//
// Of the 2.6 MB that g++ 12 reads for such a text with AVX-512, 1.8 are <immintrin.h>. These functions call the same
// builtins, in namespace onefold::detail, where onefold's headers find them first: g++ 12 and 14 compile texts to the
// same instructions either way. A text may still include <immintrin.h>. Other compilers, and a g++ that lacks a
// builtin, read it as always.
#pragma once

#if defined(__SSE4_2__) && defined(__GNUC__) && !defined(__clang__) && !defined(_IMMINTRIN_H_INCLUDED)
#if __GNUC__ > 14  // not tried
#elif !__has_builtin(__builtin_ia32_pmovsxbw128)
#elif defined(__AVX2__) && (!__has_builtin(__builtin_ia32_pmovsxbw256) || !__has_builtin(__builtin_ia32_maskloadd256))
#elif defined(__AVX512F__) && !__has_builtin(__builtin_ia32_cvtps2pd512_mask)
#elif defined(__AVX512BW__) && !__has_builtin(__builtin_ia32_loaddquqi512_mask)
#else
#define ONEFOLD_FEW_INTRINSICS
#endif
#endif

#ifdef ONEFOLD_FEW_INTRINSICS

#include "onefold/detail/level.hpp"
#include "onefold/types.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

// The registers, and the types that the builtins take and return.
#define ONEFOLD_REGISTER(bits)                                                      \
  typedef float __m##bits __attribute__((vector_size(bits / 8), may_alias));        \
  typedef double __m##bits##d __attribute__((vector_size(bits / 8), may_alias));    \
  typedef long long __m##bits##i __attribute__((vector_size(bits / 8), may_alias)); \
  typedef char chars_##bits __attribute__((vector_size(bits / 8)));                 \
  typedef short shorts_##bits __attribute__((vector_size(bits / 8)));               \
  typedef int ints_##bits __attribute__((vector_size(bits / 8)));                   \
  typedef long long longs_##bits __attribute__((vector_size(bits / 8)));            \
  typedef float floats_##bits __attribute__((vector_size(bits / 8)));               \
  typedef double doubles_##bits __attribute__((vector_size(bits / 8)));
ONEFOLD_REGISTER(128)
ONEFOLD_REGISTER(256)
ONEFOLD_REGISTER(512)
#undef ONEFOLD_REGISTER
typedef unsigned char __mmask8;
typedef unsigned short __mmask16;
typedef unsigned __mmask32;

#define ONEFOLD_INTRINSIC(result, name, parameters, ...) \
  ONEFOLD_INLINE result name parameters { return result(__VA_ARGS__); }

/// An intrinsic for signed and one for unsigned integers: mm_cvtep[iu]NAME.
#define ONEFOLD_WIDEN(bits, mm, name, builtin, half, from)                                              \
  ONEFOLD_INTRINSIC(__m##bits##i, mm##_cvtepi##name, (half x), __builtin_ia32_pmovsx##builtin(from(x))) \
  ONEFOLD_INTRINSIC(__m##bits##i, mm##_cvtepu##name, (half x), __builtin_ia32_pmovzx##builtin(from(x)))

ONEFOLD_INTRINSIC(void, _mm_sfence, (), __builtin_ia32_sfence())
ONEFOLD_INTRINSIC(void, _mm_stream_si128, (__m128i * to, __m128i x),
                  __builtin_ia32_movntdq(reinterpret_cast<longs_128*>(to), longs_128(x)))
ONEFOLD_INTRINSIC(__m128i, _mm_cvtsi64_si128, (long long x), longs_128{x, 0})
ONEFOLD_INTRINSIC(__m128i, _mm_cvtsi32_si128, (int x), ints_128{x, 0, 0, 0})
ONEFOLD_INTRINSIC(__m128, _mm_set_ss, (float x), floats_128{x, 0, 0, 0})
ONEFOLD_INTRINSIC(__m128d, _mm_set_sd, (double x), doubles_128{x, 0})
ONEFOLD_INTRINSIC(float, _mm_cvtss_f32, (__m128 x), x[0])
ONEFOLD_INTRINSIC(double, _mm_cvtsd_f64, (__m128d x), x[0])
ONEFOLD_INTRINSIC(__m128, _mm_sqrt_ss, (__m128 x), __builtin_ia32_sqrtss(floats_128(x)))
ONEFOLD_INTRINSIC(__m128d, _mm_sqrt_sd, (__m128d a, __m128d b),
                  __builtin_ia32_sqrtsd(__builtin_ia32_movsd(doubles_128(a), doubles_128(b))))
ONEFOLD_INTRINSIC(__m128, _mm_sqrt_ps, (__m128 x), __builtin_ia32_sqrtps(floats_128(x)))
ONEFOLD_INTRINSIC(__m128d, _mm_sqrt_pd, (__m128d x), __builtin_ia32_sqrtpd(doubles_128(x)))
ONEFOLD_INTRINSIC(__m128d, _mm_cvtps_pd, (__m128 x), __builtin_ia32_cvtps2pd(floats_128(x)))
ONEFOLD_INTRINSIC(__m128, _mm_cvtpd_ps, (__m128d x), __builtin_ia32_cvtpd2ps(doubles_128(x)))
ONEFOLD_INTRINSIC(__m128d, _mm_cvtepi32_pd, (__m128i x), __builtin_ia32_cvtdq2pd(ints_128(x)))
ONEFOLD_WIDEN(128, _mm, 8_epi16, bw128, __m128i, chars_128)
ONEFOLD_WIDEN(128, _mm, 8_epi32, bd128, __m128i, chars_128)
ONEFOLD_WIDEN(128, _mm, 16_epi32, wd128, __m128i, shorts_128)
ONEFOLD_WIDEN(128, _mm, 16_epi64, wq128, __m128i, shorts_128)
ONEFOLD_WIDEN(128, _mm, 32_epi64, dq128, __m128i, ints_128)

#ifdef __AVX__
ONEFOLD_INTRINSIC(void, _mm256_stream_si256, (__m256i * to, __m256i x),
                  __builtin_ia32_movntdq256(reinterpret_cast<longs_256*>(to), longs_256(x)))
ONEFOLD_INTRINSIC(__m256, _mm256_sqrt_ps, (__m256 x), __builtin_ia32_sqrtps256(floats_256(x)))
ONEFOLD_INTRINSIC(__m256d, _mm256_sqrt_pd, (__m256d x), __builtin_ia32_sqrtpd256(doubles_256(x)))
ONEFOLD_INTRINSIC(__m256d, _mm256_cvtps_pd, (__m128 x), __builtin_ia32_cvtps2pd256(floats_128(x)))
ONEFOLD_INTRINSIC(__m256d, _mm256_cvtepi32_pd, (__m128i x), __builtin_ia32_cvtdq2pd256(ints_128(x)))
ONEFOLD_INTRINSIC(__m256, _mm256_set1_ps, (float x), floats_256{x, x, x, x, x, x, x, x})
ONEFOLD_INTRINSIC(__m256d, _mm256_set1_pd, (double x), doubles_256{x, x, x, x})
#endif

#ifdef __F16C__
ONEFOLD_INTRINSIC(__m128, _mm_cvtph_ps, (__m128i x), __builtin_ia32_vcvtph2ps(shorts_128(x)))
ONEFOLD_INTRINSIC(__m256, _mm256_cvtph_ps, (__m128i x), __builtin_ia32_vcvtph2ps256(shorts_128(x)))
#endif

#ifdef __FMA__
ONEFOLD_INTRINSIC(__m128, _mm_fmadd_ps, (__m128 a, __m128 b, __m128 c),
                  __builtin_ia32_vfmaddps(floats_128(a), floats_128(b), floats_128(c)))
ONEFOLD_INTRINSIC(__m256, _mm256_fmadd_ps, (__m256 a, __m256 b, __m256 c),
                  __builtin_ia32_vfmaddps256(floats_256(a), floats_256(b), floats_256(c)))
ONEFOLD_INTRINSIC(__m256d, _mm256_fmadd_pd, (__m256d a, __m256d b, __m256d c),
                  __builtin_ia32_vfmaddpd256(doubles_256(a), doubles_256(b), doubles_256(c)))
ONEFOLD_INTRINSIC(__m256, _mm256_fnmadd_ps, (__m256 a, __m256 b, __m256 c),
                  __builtin_ia32_vfnmaddps256(floats_256(a), floats_256(b), floats_256(c)))
ONEFOLD_INTRINSIC(__m256d, _mm256_fnmadd_pd, (__m256d a, __m256d b, __m256d c),
                  __builtin_ia32_vfnmaddpd256(doubles_256(a), doubles_256(b), doubles_256(c)))
#endif

#ifdef __AVX2__
ONEFOLD_WIDEN(256, _mm256, 8_epi16, bw256, __m128i, chars_128)
ONEFOLD_WIDEN(256, _mm256, 8_epi32, bd256, __m128i, chars_128)
ONEFOLD_WIDEN(256, _mm256, 16_epi32, wd256, __m128i, shorts_128)
ONEFOLD_WIDEN(256, _mm256, 16_epi64, wq256, __m128i, shorts_128)
ONEFOLD_WIDEN(256, _mm256, 32_epi64, dq256, __m128i, ints_128)
ONEFOLD_INTRINSIC(__m128i, _mm_set1_epi32, (int x), ints_128{x, x, x, x})
ONEFOLD_INTRINSIC(__m256i, _mm256_set1_epi32, (int x), ints_256{x, x, x, x, x, x, x, x})
ONEFOLD_INTRINSIC(__m256i, _mm256_set1_epi64x, (long long x), longs_256{x, x, x, x})
ONEFOLD_INTRINSIC(__m128i, _mm_setr_epi32, (int a, int b, int c, int d), ints_128{a, b, c, d})
ONEFOLD_INTRINSIC(__m256i, _mm256_setr_epi32, (int a, int b, int c, int d, int e, int f, int g, int h),
                  ints_256{a, b, c, d, e, f, g, h})
ONEFOLD_INTRINSIC(__m256i, _mm256_setr_epi64x, (long long a, long long b, long long c, long long d),
                  longs_256{a, b, c, d})
ONEFOLD_INTRINSIC(__m128i, _mm_cmpgt_epi32, (__m128i a, __m128i b), ints_128(a) > ints_128(b))
ONEFOLD_INTRINSIC(__m256i, _mm256_cmpgt_epi32, (__m256i a, __m256i b), ints_256(a) > ints_256(b))
ONEFOLD_INTRINSIC(__m256i, _mm256_cmpgt_epi64, (__m256i a, __m256i b), longs_256(a) > longs_256(b))
ONEFOLD_INTRINSIC(__m128i, _mm_maskload_epi32, (const int* from, __m128i mask),
                  __builtin_ia32_maskloadd(reinterpret_cast<const ints_128*>(from), ints_128(mask)))
ONEFOLD_INTRINSIC(__m256i, _mm256_maskload_epi32, (const int* from, __m256i mask),
                  __builtin_ia32_maskloadd256(reinterpret_cast<const ints_256*>(from), ints_256(mask)))
ONEFOLD_INTRINSIC(__m256i, _mm256_maskload_epi64, (const long long* from, __m256i mask),
                  __builtin_ia32_maskloadq256(reinterpret_cast<const longs_256*>(from), longs_256(mask)))
#endif

#undef ONEFOLD_WIDEN

#ifdef __AVX512F__
// Elements that the mask does not select are zero; the last argument of some builtins is _MM_FROUND_CUR_DIRECTION.
#define ONEFOLD_WIDEN(name, builtin, half, from, to, mask)                      \
  ONEFOLD_INTRINSIC(__m512i, _mm512_maskz_cvtepi##name, (mask m, half x),       \
                    __builtin_ia32_pmovsx##builtin##512_mask(from(x), to{}, m)) \
  ONEFOLD_INTRINSIC(__m512i, _mm512_maskz_cvtepu##name, (mask m, half x),       \
                    __builtin_ia32_pmovzx##builtin##512_mask(from(x), to{}, m))
ONEFOLD_WIDEN(8_epi32, bd, __m128i, chars_128, ints_512, __mmask16)
ONEFOLD_WIDEN(16_epi32, wd, __m256i, shorts_256, ints_512, __mmask16)
ONEFOLD_WIDEN(16_epi64, wq, __m128i, shorts_128, longs_512, __mmask8)
ONEFOLD_WIDEN(32_epi64, dq, __m256i, ints_256, longs_512, __mmask8)
ONEFOLD_INTRINSIC(void, _mm512_stream_si512, (__m512i * to, __m512i x),
                  __builtin_ia32_movntdq512(reinterpret_cast<longs_512*>(to), longs_512(x)))
ONEFOLD_INTRINSIC(__m512, _mm512_maskz_sqrt_ps, (__mmask16 m, __m512 x),
                  __builtin_ia32_sqrtps512_mask(floats_512(x), floats_512{}, m, 4))
ONEFOLD_INTRINSIC(__m512d, _mm512_maskz_sqrt_pd, (__mmask8 m, __m512d x),
                  __builtin_ia32_sqrtpd512_mask(doubles_512(x), doubles_512{}, m, 4))
ONEFOLD_INTRINSIC(__m512, _mm512_maskz_cvtph_ps, (__mmask16 m, __m256i x),
                  __builtin_ia32_vcvtph2ps512_mask(shorts_256(x), floats_512{}, m, 4))
ONEFOLD_INTRINSIC(__m512d, _mm512_maskz_cvtps_pd, (__mmask8 m, __m256 x),
                  __builtin_ia32_cvtps2pd512_mask(floats_256(x), doubles_512{}, m, 4))
ONEFOLD_INTRINSIC(__m512d, _mm512_maskz_cvtepi32_pd, (__mmask8 m, __m256i x),
                  __builtin_ia32_cvtdq2pd512_mask(ints_256(x), doubles_512{}, m))
ONEFOLD_INTRINSIC(__m512, _mm512_set1_ps, (float x), floats_512{x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x})
ONEFOLD_INTRINSIC(__m512d, _mm512_set1_pd, (double x), doubles_512{x, x, x, x, x, x, x, x})
ONEFOLD_INTRINSIC(__m512, _mm512_fmadd_ps, (__m512 a, __m512 b, __m512 c),
                  __builtin_ia32_vfmaddps512_mask(floats_512(a), floats_512(b), floats_512(c), -1, 4))
ONEFOLD_INTRINSIC(__m512d, _mm512_fmadd_pd, (__m512d a, __m512d b, __m512d c),
                  __builtin_ia32_vfmaddpd512_mask(doubles_512(a), doubles_512(b), doubles_512(c), -1, 4))
ONEFOLD_INTRINSIC(__m512, _mm512_fnmadd_ps, (__m512 a, __m512 b, __m512 c),
                  __builtin_ia32_vfnmaddps512_mask(floats_512(a), floats_512(b), floats_512(c), -1, 4))
ONEFOLD_INTRINSIC(__m512d, _mm512_fnmadd_pd, (__m512d a, __m512d b, __m512d c),
                  __builtin_ia32_vfnmaddpd512_mask(doubles_512(a), doubles_512(b), doubles_512(c), -1, 4))
#endif

#ifdef __AVX512BW__
ONEFOLD_WIDEN(8_epi16, bw, __m256i, chars_256, shorts_512, __mmask32)
ONEFOLD_INTRINSIC(__m512i, _mm512_maskz_loadu_epi8, (unsigned long long m, const void* from),
                  __builtin_ia32_loaddquqi512_mask(static_cast<const char*>(from), chars_512{}, m))
#ifdef __AVX512VL__
ONEFOLD_INTRINSIC(__m256i, _mm256_maskz_loadu_epi8, (__mmask32 m, const void* from),
                  __builtin_ia32_loaddquqi256_mask(static_cast<const char*>(from), chars_256{}, m))
ONEFOLD_INTRINSIC(__m128i, _mm_maskz_loadu_epi8, (__mmask16 m, const void* from),
                  __builtin_ia32_loaddquqi128_mask(static_cast<const char*>(from), chars_128{}, m))
#endif
#endif

#undef ONEFOLD_WIDEN
#undef ONEFOLD_INTRINSIC

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail

#endif  // ONEFOLD_FEW_INTRINSICS
