// What the elementary functions are computed with: products that stay apart from sums, quotients, roots, polynomials.
#pragma once

#include <cstdint>

#include "onefold/detail/level.hpp"
#include "onefold/detail/pack.hpp"
#include "onefold/detail/strict_math.hpp"

namespace onefold::detail::math {
inline namespace ONEFOLD_LEVEL {

/// The format of a floating-point type.
template <class T>
struct ieee;
template <>
struct ieee<float> {
  using bits = std::uint32_t;
  static constexpr int fraction_bits = 23;
  static constexpr bits bias = 127, sign = 0x80000000, nan = 0x7fc00000, infinity = 0x7f800000;
  static constexpr bits upper_half = 0xfffff000;  // the upper 12 bits of the significand: their products are exact
  static constexpr float least_normal = 0x1p-126f, two_to_digits = 0x1p24f;
};
template <>
struct ieee<double> {
  using bits = std::uint64_t;
  static constexpr int fraction_bits = 52;
  static constexpr bits bias = 1023, sign = 0x8000000000000000, nan = 0x7ff8000000000000, infinity = 0x7ff0000000000000;
  static constexpr bits upper_half = 0xfffffffff8000000;  // the upper 26 bits
  static constexpr double least_normal = 0x1p-1022, two_to_digits = 0x1p54;
};
template <class V>
using ieee_of = ieee<value_of<V>>;
/// Unsigned integers of the same size and width as the floating-point V.
template <class V>
using unsigned_of = pack<typename ieee_of<V>::bits, width_of<V>>;

/// x, hidden from the compiler in a register.
template <class V>
ONEFOLD_INLINE V opaque(V x) {
  if constexpr (width_of < V >> 1 && sizeof(V) > vector_bytes) {
    struct halves {
      pack<value_of<V>, width_of<V> / 2> half[2];
    } h = bits_as<halves>(x);
    h.half[0] = opaque(h.half[0]);
    h.half[1] = opaque(h.half[1]);
    return bits_as<V>(h);
  } else {
#if defined(__x86_64__)
    __asm__("" : "+v"(x));
#elif defined(__aarch64__)
    __asm__("" : "+w"(x));
#endif
    return x;
  }
}

/// a * b, rounded: never fused with an addition, whatever the flags of the file.
///
/// g++ without -ffp-contract=off fuses across statements; __builtin_assoc_barrier would keep it from that, but not in
/// loops that it vectorizes, and takes packs of 16 f32 apart (g++ 12). clang obeys the pragma of strict_math.hpp,
/// unless it is given -ffp-contract=fast, which overrules pragmas.
template <class V>
ONEFOLD_INLINE constexpr V times(V a, V b) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(V) == 4)
    return __fmul_rn(a, b);
  else
    return __dmul_rn(a, b);
#else
#if !defined(__clang__) && (defined(__FMA__) || defined(__FMA4__) || defined(__aarch64__))
  if (!__builtin_is_constant_evaluated()) return opaque(a * b);
#endif
  return a * b;
#endif
}

/// f of the halves of packs.
template <class F, class V>
ONEFOLD_INLINE constexpr V by_halves(const F& f, V a, V b, V c) {
  struct halves {
    pack<value_of<V>, width_of<V> / 2> half[2];
  } x = bits_as<halves>(a), y = bits_as<halves>(b), z = bits_as<halves>(c);
  for (int i = 0; i < 2; ++i) x.half[i] = f(x.half[i], y.half[i], z.half[i]);
  return bits_as<V>(x);
}

/// a * b + c of f32 in f64, where the product is exact, rounded to f64 and then to f32: not always correctly rounded.
template <class V>
ONEFOLD_INLINE constexpr V fused_in_f64(V a, V b, V c) {
  if constexpr (sizeof(V) > 16) {
    return by_halves([](auto x, auto y, auto z) { return fused_in_f64(x, y, z); }, a, b, c);
#ifdef __x86_64__
  } else if constexpr (sizeof(V) == 16) {
    const auto upper = [](V x) { return V{x[2], x[3], x[2], x[3]}; };
    const auto lower_half = [](V x, V y, V z) {
      const auto wide = [](V w) { return bits_as<pack<double, 2>>(_mm_cvtps_pd(bits_as<__m128>(w))); };
      return bits_as<V>(_mm_cvtpd_ps(bits_as<__m128d>(wide(x) * wide(y) + wide(z))));
    };
    const V low = lower_half(a, b, c), high = lower_half(upper(a), upper(b), upper(c));
    return V{low[0], low[1], high[0], high[1]};
#endif
  } else {
    using D = pack<double, width_of<V>>;
    return convert<V>(convert<D>(a) * convert<D>(b) + convert<D>(c));
  }
}

/// a * b + c of f32, rounded once; in constant expressions, and where there is no instruction for it, as fused_in_f64.
/// Use it only in functions that are known to give the same result either way for every argument.
template <class V>
ONEFOLD_INLINE constexpr V fused(V a, V b, V c) {
#ifdef __CUDA_ARCH__
  return __fmaf_rn(a, b, c);
#elif defined(__FMA__) || defined(__aarch64__)
  if (__builtin_is_constant_evaluated()) return fused_in_f64(a, b, c);
  if constexpr (width_of<V> == 1) return __builtin_fmaf(a, b, c);
#ifdef __FMA__
#ifdef __AVX512F__
  if constexpr (sizeof(V) == 64)
    return bits_as<V>(_mm512_fmadd_ps(bits_as<__m512>(a), bits_as<__m512>(b), bits_as<__m512>(c)));
#endif
  if constexpr (sizeof(V) == 32)
    return bits_as<V>(_mm256_fmadd_ps(bits_as<__m256>(a), bits_as<__m256>(b), bits_as<__m256>(c)));
  if constexpr (sizeof(V) == 16)
    return bits_as<V>(_mm_fmadd_ps(bits_as<__m128>(a), bits_as<__m128>(b), bits_as<__m128>(c)));
#endif
  if constexpr (sizeof(V) > vector_bytes) {
    return by_halves([](auto x, auto y, auto z) { return fused(x, y, z); }, a, b, c);
  } else if constexpr (width_of<V> > 1) {
    V sums{};
    for (int i = 0; i < width_of<V>; ++i) sums[i] = __builtin_fmaf(a[i], b[i], c[i]);
    return sums;
  }
#else
  return fused_in_f64(a, b, c);
#endif
}

/// a / b, rounded.
template <class V>
ONEFOLD_INLINE constexpr V quotient(V a, V b) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(V) == 4)
    return __fdiv_rn(a, b);
  else
    return __ddiv_rn(a, b);
#else
  return a / b;
#endif
}

/// The square root, rounded; some NaN of a negative number.
template <class V>
ONEFOLD_INLINE constexpr V square_root(V x) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(V) == 4)
    return __fsqrt_rn(x);
  else
    return __dsqrt_rn(x);
#else
  using T = value_of<V>;
#ifdef __x86_64__  // by the instructions: the functions of C have a branch for errno
#ifdef __AVX512F__
  // The masked form with a full mask is the same instruction; the plain one warns of its undefined source (g++ 12).
  if constexpr (sizeof(V) == 64) {
    if constexpr (sizeof(T) == 4)
      return bits_as<V>(_mm512_maskz_sqrt_ps(static_cast<__mmask16>(-1), bits_as<__m512>(x)));
    else
      return bits_as<V>(_mm512_maskz_sqrt_pd(static_cast<__mmask8>(-1), bits_as<__m512d>(x)));
  }
#endif
#ifdef __AVX__
  if constexpr (sizeof(V) == 32) {
    if constexpr (sizeof(T) == 4)
      return bits_as<V>(_mm256_sqrt_ps(bits_as<__m256>(x)));
    else
      return bits_as<V>(_mm256_sqrt_pd(bits_as<__m256d>(x)));
  }
#endif
  if constexpr (sizeof(V) == 16) {
    if constexpr (sizeof(T) == 4)
      return bits_as<V>(_mm_sqrt_ps(bits_as<__m128>(x)));
    else
      return bits_as<V>(_mm_sqrt_pd(bits_as<__m128d>(x)));
  }
  if constexpr (__is_same(V, float)) return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(x)));
  if constexpr (__is_same(V, double)) return _mm_cvtsd_f64(_mm_sqrt_sd(_mm_set_sd(x), _mm_set_sd(x)));
#else
  if constexpr (__is_same(V, float)) return __builtin_sqrtf(x);
  if constexpr (__is_same(V, double)) return __builtin_sqrt(x);
#endif
  if constexpr (width_of < V >> 1) {
    if constexpr (sizeof(V) > 16) {
      struct halves {
        pack<T, width_of<V> / 2> half[2];
      } h = bits_as<halves>(x);
      h.half[0] = square_root(h.half[0]);
      h.half[1] = square_root(h.half[1]);
      return bits_as<V>(h);
    } else {
      V roots{};
      for (int i = 0; i < width_of<V>; ++i) roots[i] = square_root(x[i]);
      return roots;
    }
  }
#endif
}

/// c0 + c1 x + c2 x^2 + ..., of neighboring pairs: half as long a chain of operations as Horner's scheme, and no more
/// of them. x2 is x^2. tests/math/polynomials.py finds the coefficients.
template <class V>
ONEFOLD_INLINE constexpr V polynomial(V, V, value_of<V> c0) {
  return splat<V>(c0);
}
template <class V, class... More>
ONEFOLD_INLINE constexpr V polynomial(V x, V x2, value_of<V> c0, value_of<V> c1, More... more) {
  const V pair = splat<V>(c0) + times(splat<V>(c1), x);
  if constexpr (sizeof...(More) == 0)
    return pair;
  else
    return pair + times(x2, polynomial(x, x2, more...));
}

/// The same of f32 by Horner's scheme, where each step rounds once.
template <class V>
ONEFOLD_INLINE constexpr V fused_polynomial(V, float c0) {
  return splat<V>(c0);
}
template <class V, class... More>
ONEFOLD_INLINE constexpr V fused_polynomial(V x, float c0, More... more) {
  return fused(fused_polynomial(x, more...), x, splat<V>(c0));
}

/// x with the lower half of its significand cleared.
template <class V>
ONEFOLD_INLINE constexpr V upper_half(V x) {
  using U = unsigned_of<V>;
  return bits_as<V>(bits_as<U>(x) & splat<U>(ieee_of<V>::upper_half));
}

/// x between two bounds; NaN stays NaN.
template <class V>
ONEFOLD_INLINE constexpr V at_least(V x, value_of<V> low) {
  return x < splat<V>(low) ? splat<V>(low) : x;
}
template <class V>
ONEFOLD_INLINE constexpr V at_most(V x, value_of<V> high) {
  return splat<V>(high) < x ? splat<V>(high) : x;
}

/// |magnitude| with the sign of x.
template <class V>
ONEFOLD_INLINE constexpr V with_sign_of(V magnitude, V x) {
  using U = unsigned_of<V>;
  const U sign = splat<U>(ieee_of<V>::sign);
  return bits_as<V>((bits_as<U>(magnitude) & ~sign) | (bits_as<U>(x) & sign));
}

/// The values with these bits.
template <class V>
ONEFOLD_INLINE constexpr V of_bits(typename ieee_of<V>::bits b) {
  return splat<V>(__builtin_bit_cast(value_of<V>, b));
}

/// x, where NaN is the canonical one.
template <class V>
ONEFOLD_INLINE constexpr V canonical_nan(V x) {
  return x == x ? x : of_bits<V>(ieee_of<V>::nan);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail::math
