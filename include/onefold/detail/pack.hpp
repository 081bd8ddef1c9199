// The few functions that make one text serve packs and scalars.
//
// `V` below is an arithmetic type or a pack of one. Comparisons of packs give masks that `m ? a : b` takes,
// as with scalars. Everything is inlined: a pack must never cross a call, whose ABI depends on the level.
#pragma once

#include <cstdint>
#include <utility>

#include "onefold/detail/level.hpp"
#include "onefold/detail/pack_type.hpp"
#include "onefold/detail/x86.hpp"
#include "onefold/types.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

template <class A>
struct bits_type;
template <>
struct bits_type<float> {
  using type = std::int32_t;
};
template <>
struct bits_type<double> {
  using type = std::int64_t;
};
/// Signed integers of the same size and width as the floating-point V.
template <class V>
using bits_of = pack<typename bits_type<value_of<V>>::type, width_of<V>>;

/// All values x. Subtracting zero, not adding it, keeps -0.0.
template <class V>
ONEFOLD_INLINE constexpr V splat(value_of<V> x) {
  if constexpr (width_of<V> == 1)
    return x;
  else
    return x - V{};
}

/// Each value converted as by static_cast.
template <class To, class From>
ONEFOLD_INLINE constexpr To convert(From x) {
  if constexpr (width_of<To> == 1) {
    return static_cast<To>(x);
  } else {
#if defined(__x86_64__) && !defined(__clang__)
    if (!__builtin_is_constant_evaluated()) {
      using A = value_of<From>;
      using B = value_of<To>;
      if constexpr (is_integer<A> && ((sizeof(A) < 4 && __is_same(B, double)) || (sizeof(A) == 1 && sizeof(B) == 8))) {
        // In two steps: there is no instruction to f64, and g++ 12 fails on the one from 8 to 64 bits.
        return convert<To>(convert<pack<typename integer_of<4, is_signed<A> || is_float<B>>::type, width_of<To>>>(x));
      } else if constexpr (!__is_same(decltype(widen_by_instruction<To, A, B>(x)), no_conversion)) {
        return widen_by_instruction<To, A, B>(x);
      }
    }
#endif
    return __builtin_convertvector(x, To);
  }
}

/// The bits of V as another type of the same size.
template <class To, class From>
ONEFOLD_INLINE constexpr To bits_as(From x) {
  return __builtin_bit_cast(To, x);
}

/// Whether any value of a mask is true.
template <class Mask>
ONEFOLD_INLINE bool any_of(Mask m) {
  if constexpr (width_of<Mask> == 1) {
    return m;
  } else if constexpr (sizeof(Mask) == 8) {
    return __builtin_bit_cast(std::uint64_t, m) != 0;
  } else {
    constexpr int half = width_of<Mask> / 2;
    using H = pack<value_of<Mask>, half>;
    const struct { H lo, hi; } parts = __builtin_bit_cast(decltype(parts), m);
    return any_of(parts.lo | parts.hi);
  }
}

/// a + b and a - b of floating-point values, for code that is made of additions: x86.hpp says why not all of them are
/// written with + and -.
template <class V>
ONEFOLD_INLINE constexpr V plus(V a, V b) {
#if defined(__x86_64__) && defined(__FMA__)
  if constexpr (is_float<value_of<V>> && sizeof(V) == vector_bytes)
    if (!__builtin_is_constant_evaluated()) return add_by_multiplier(a, b);
#endif
  return a + b;
}
template <class V>
ONEFOLD_INLINE constexpr V minus(V a, V b) {
#if defined(__x86_64__) && defined(__FMA__)
  if constexpr (is_float<value_of<V>> && sizeof(V) == vector_bytes)
    if (!__builtin_is_constant_evaluated()) return subtract_by_multiplier(a, b);
#endif
  return a - b;
}

/// The first `count` < width_of<P> values at p, then zeros, into x, by loads of powers of two.
template <class P>
[[gnu::noinline]] void load_by_halves(const value_of<P>* p, int count, P& x) {
  using value = value_of<P>;
  int done = 0;
  P all{};
  const auto take = [&](auto size) {
    constexpr int n = decltype(size)::value;
    if constexpr (n < width_of<P>) {
      if (count & n) {
        __builtin_memcpy(reinterpret_cast<value*>(&all) + done, p + done, n * sizeof(value));
        done += n;
      }
    }
  };
  take(std::integral_constant<int, 32>{});
  take(std::integral_constant<int, 16>{});
  take(std::integral_constant<int, 8>{});
  take(std::integral_constant<int, 4>{});
  take(std::integral_constant<int, 2>{});
  take(std::integral_constant<int, 1>{});
  x = all;
}

/// The first `count` < width_of<P> values at p, then zeros; reads no byte after them.
template <class P>
ONEFOLD_INLINE P load_first(const value_of<P>* p, int count) {
#if defined(__AVX512BW__) && defined(__AVX512VL__)
  constexpr int bytes = width_of<P> * static_cast<int>(sizeof(value_of<P>));
  const std::uint64_t mask = (std::uint64_t{1} << (count * static_cast<int>(sizeof(value_of<P>)))) - 1;
  if constexpr (bytes == 64)
    return __builtin_bit_cast(P, _mm512_maskz_loadu_epi8(mask, p));
  else if constexpr (bytes == 32)
    return __builtin_bit_cast(P, _mm256_maskz_loadu_epi8(static_cast<__mmask32>(mask), p));
  else if constexpr (bytes == 16)
    return __builtin_bit_cast(P, _mm_maskz_loadu_epi8(static_cast<__mmask16>(mask), p));
#elif defined(__AVX2__)
  if constexpr (sizeof(P) == 32 && sizeof(value_of<P>) == 4) {
    const __m256i mask = _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    return __builtin_bit_cast(P, _mm256_maskload_epi32(reinterpret_cast<const int*>(p), mask));
  } else if constexpr (sizeof(P) == 32 && sizeof(value_of<P>) == 8) {
    const __m256i mask = _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), _mm256_setr_epi64x(0, 1, 2, 3));
    return __builtin_bit_cast(P, _mm256_maskload_epi64(reinterpret_cast<const long long*>(p), mask));
  } else if constexpr (sizeof(P) == 16 && sizeof(value_of<P>) == 4) {
    const __m128i mask = _mm_cmpgt_epi32(_mm_set1_epi32(count), _mm_setr_epi32(0, 1, 2, 3));
    return __builtin_bit_cast(P, _mm_maskload_epi32(reinterpret_cast<const int*>(p), mask));
  }
#endif
  P x;
  load_by_halves<P>(p, count, x);
  return x;
}

/// What an element of type T is stored as.
template <class T>
struct storage {
  using type = T;
};
template <>
struct storage<f16> {
  using type = std::uint16_t;
};
template <>
struct storage<bf16> {
  using type = std::uint16_t;
};
template <class T>
using storage_t = typename storage<T>::type;

#ifdef __F16C__
/// binary16 to binary32 by the CPU's instruction.
template <class F, class Stored>
ONEFOLD_INLINE F f32_from_f16(Stored x) {
#ifdef __AVX512F__
  if constexpr (sizeof(Stored) == 32)
    return __builtin_bit_cast(F, _mm512_maskz_cvtph_ps(static_cast<__mmask16>(-1), __builtin_bit_cast(__m256i, x)));
#endif
  if constexpr (sizeof(Stored) == 16) return __builtin_bit_cast(F, _mm256_cvtph_ps(__builtin_bit_cast(__m128i, x)));
  if constexpr (sizeof(Stored) == 8)
    return __builtin_bit_cast(F, _mm_cvtph_ps(_mm_cvtsi64_si128(__builtin_bit_cast(long long, x))));
}
#endif

/// Elements of type T, as stored, in the value type of V: exact for every pair that the catalog uses.
template <class V, class T, class Stored>
ONEFOLD_INLINE constexpr V widen(Stored x) {
  constexpr int W = width_of<V>;
  if constexpr (is_small_float<T>) {
    using F = pack<float, W>;
    using I = pack<std::int32_t, W>;
#ifdef __F16C__
    if constexpr (__is_same(T, f16) && W >= 4) return convert<V>(f32_from_f16<F>(x));
#endif
    const I h = convert<I>(x);
    if constexpr (__is_same(T, bf16)) {
      return convert<V>(bits_as<F>(h << 16));
    } else {
      // The bits moved to binary32's places are the value times 2^-112 (subnormals too); infinity and NaN,
      // whose exponent would come out as 16, get the exponent of binary32.
      const I magnitude = (h & 0x7fff) << 13;
      const I scaled = bits_as<I>(bits_as<F>(magnitude) * splat<F>(0x1p112f));
      const I finite_or_not = magnitude >= splat<I>(0x0f800000) ? magnitude | 0x7f800000 : scaled;
      return convert<V>(bits_as<F>(finite_or_not | ((h & 0x8000) << 16)));
    }
  } else {
    return convert<V>(x);
  }
}

/// The pack that starts at p.
template <class P, class Stored>
ONEFOLD_INLINE P load(const Stored* p) {
  P x;
  __builtin_memcpy(&x, p, sizeof x);
  return x;
}

#ifndef __CUDACC__
template <int First, class V, int... I>
ONEFOLD_INLINE auto values_from(V x, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(x, x, (First + I)...);
}
#endif

/// Half of the values of a pack: those from First, 0 or half of its width.
template <int First, class V>
ONEFOLD_INLINE auto half_of(V x) {
  constexpr int half_width = width_of<V> / 2;
  if constexpr (half_width == 1) {
    return x[First];
  } else {
#ifdef __CUDACC__  // nvcc loses the shuffle's list of indices on its way to the host compiler
    struct halves {
      pack<value_of<V>, half_width> half[2];
    };
    return __builtin_bit_cast(halves, x).half[First != 0];
#else
    return values_from<First>(x, std::make_integer_sequence<int, half_width>{});
#endif
  }
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
