// Elements as packs of the type that they are widened to, and back: whole packs, and the last few of a line.
#pragma once

#include <cstdint>

#include "onefold/catalog/facts.hpp"
#include "onefold/detail/numbers.hpp"
#include "onefold/detail/pack.hpp"
#include "onefold/detail/strict_math.hpp"
#include "onefold/detail/unroll.hpp"
#include "onefold/math.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The first `count` < width_of<P> values to p; writes no byte after them.
template <class P>
ONEFOLD_INLINE void store_first(value_of<P>* p, P x, int count) {
#if defined(__AVX512BW__) && defined(__AVX512VL__)
  constexpr int bytes = sizeof(P);
  const std::uint64_t mask = (std::uint64_t{1} << (count * static_cast<int>(sizeof(value_of<P>)))) - 1;
  if constexpr (bytes == 64)
    return _mm512_mask_storeu_epi8(p, mask, __builtin_bit_cast(__m512i, x));
  else if constexpr (bytes == 32)
    return _mm256_mask_storeu_epi8(p, static_cast<__mmask32>(mask), __builtin_bit_cast(__m256i, x));
  else if constexpr (bytes == 16)
    return _mm_mask_storeu_epi8(p, static_cast<__mmask16>(mask), __builtin_bit_cast(__m128i, x));
#endif
  const char* from = reinterpret_cast<const char*>(&x);
  char* to = reinterpret_cast<char*>(p);
  const auto put = [&](auto size) {
    constexpr int n = decltype(size)::value;
    if constexpr (n < width_of<P>)
      if (count & n) {
        __builtin_memcpy(to, from, n * sizeof(value_of<P>));
        to += n * sizeof(value_of<P>);
        from += n * sizeof(value_of<P>);
      }
  };
  put(std::integral_constant<int, 4>{});
  put(std::integral_constant<int, 2>{});
  put(std::integral_constant<int, 1>{});
}

/// Elements T as packs of V, this level's width of them.
template <class T>
struct row_packs {
  using V = typename accumulator<T>::type;
  using stored = storage_t<T>;
  static constexpr int width = vector_bytes / static_cast<int>(sizeof(V));
  using P = pack<V, width>;
  using stored_pack = pack<stored, width>;

  ONEFOLD_INLINE static P load_all(const stored* p) { return widen<P, T>(load<stored_pack>(p)); }
  ONEFOLD_INLINE static P load_some(const stored* p, int count) {
    return widen<P, T>(load_first<stored_pack>(p, count));
  }

  /// Each value rounded once to T; NaN becomes the canonical one.
  ONEFOLD_INLINE static stored_pack rounded(P x) {
    if constexpr (__is_same(T, V)) {
      return math::canonical_nan(x);
    } else if constexpr (__is_same(T, bf16)) {
      using I = pack<std::uint32_t, width>;
      const I b = bits_as<I>(x), r = b + splat<I>(0x7fff) + ((b >> 16) & splat<I>(1));
      return convert<stored_pack>((x == x ? r : splat<I>(0x7fc00000)) >> 16);
    } else {
#ifdef __F16C__
      const P y = math::canonical_nan(x);
#ifdef __AVX512F__
      if constexpr (width == 16)
        return bits_as<stored_pack>(
            _mm512_maskz_cvtps_ph(static_cast<__mmask16>(-1), bits_as<__m512>(y), _MM_FROUND_TO_NEAREST_INT));
#endif
      if constexpr (width == 8)
        return bits_as<stored_pack>(_mm256_cvtps_ph(bits_as<__m256>(y), _MM_FROUND_TO_NEAREST_INT));
#else
      stored_pack r{};
      for (int i = 0; i < width; ++i) r[i] = T(x[i]).bits;
      return r;
#endif
    }
  }
  ONEFOLD_INLINE static void store_all(stored* p, P x) {
    const stored_pack r = rounded(x);
    __builtin_memcpy(p, &r, sizeof r);
  }
  ONEFOLD_INLINE static void store_some(stored* p, P x, int count) { store_first<stored_pack>(p, rounded(x), count); }

  /// y[i] = f(x[i], i), where f takes packs, a pack's first index, and how many of its values are meant. y may be x.
  /// What lies `ahead` bytes later is prefetched.
  template <class Function>
  ONEFOLD_INLINE static void map(const stored* x, std::int64_t n, stored* y, std::int64_t ahead, const Function& f) {
    for_each_pack(
        x, n, ahead, [&](std::int64_t i) { store_all(y + i, f(load_all(x + i), i, width)); },
        [&](std::int64_t i, int rest) { store_some(y + i, f(load_some(x + i, rest), i, rest), rest); });
  }
  /// The same to values V, which there is room for a pack more of; f takes packs and their first index.
  template <class Function>
  ONEFOLD_INLINE static void map_to_values(const stored* x, std::int64_t n, V* y, std::int64_t ahead,
                                           const Function& f) {
    const auto put = [&](std::int64_t i, P v) { __builtin_memcpy(y + i, &v, sizeof v); };
    for_each_pack(
        x, n, ahead, [&](std::int64_t i) { put(i, f(load_all(x + i), i)); },
        [&](std::int64_t i, int rest) { put(i, f(load_some(x + i, rest), i)); });
  }

 private:
  /// Calls `all` with the first index of each whole pack, and `some` with that of the last few elements and how many
  /// they are. For each cache line of whole packs, what lies `ahead` bytes later is brought to the second cache.
  template <class All, class Some>
  ONEFOLD_INLINE static void for_each_pack(const stored* x, std::int64_t n, std::int64_t ahead, const All& all,
                                           const Some& some) {
    constexpr int line = 64 > sizeof(stored_pack) ? 64 / sizeof(stored) : width;
    std::int64_t i = 0;
    for (; i + line <= n; i += line) {
      __builtin_prefetch(reinterpret_cast<const char*>(x + i) + ahead, 0, 2);
      ONEFOLD_UNROLL(1)
      for (int k = 0; k < line; k += width) all(i + k);
    }
    if constexpr (line > width)
      for (; i + width <= n; i += width) all(i);
    if (const int rest = static_cast<int>(n - i)) some(i, rest);
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
