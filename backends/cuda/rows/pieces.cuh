// Elements of lines as threads hold them: numbers from and to their stored form.
#pragma once

#include "onefold/detail/cuda/words.cuh"
#include "onefold/types.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// What elements are computed in.
template <class T>
using line_value = std::conditional_t<std::is_same_v<T, double>, double, float>;

/// K elements of a row in a thread, in 32-bit registers.
template <class T, int K>
struct piece {
  using V = line_value<T>;
  static constexpr int size = static_cast<int>(sizeof(T)), count = K * size / 4;
  static_assert(count >= 1 && K * size % 4 == 0);
  std::uint32_t w[count];

  __device__ __forceinline__ V operator[](int c) const {
    if constexpr (size == 8) {
      const std::uint32_t parts[2] = {w[2 * c], w[2 * c + 1]};
      V x;
      memcpy(&x, parts, sizeof x);
      return x;
    } else if constexpr (size == 4) {
      return __builtin_bit_cast(float, w[c]);
    } else if constexpr (__is_same(T, bf16)) {
      return __builtin_bit_cast(float, c % 2 == 0 ? w[c / 2] << 16 : w[c / 2] & 0xffff0000u);
    } else {
      return float_from_half(static_cast<std::uint16_t>(c % 2 == 0 ? w[c / 2] & 0xffffu : w[c / 2] >> 16));
    }
  }
  /// Sets element c, in ascending order: an even one of 16 bits clears the next.
  __device__ __forceinline__ void set_stored(int c, const T& x) {
    if constexpr (size == 8) {
      memcpy(&w[2 * c], &x, sizeof x);
    } else if constexpr (size == 4) {
      w[c] = __builtin_bit_cast(std::uint32_t, x);
    } else {
      const std::uint32_t bits = x.bits;
      w[c / 2] = c % 2 == 0 ? bits : w[c / 2] | bits << 16;
    }
  }
  /// Sets element c alone.
  __device__ __forceinline__ void replace(int c, const T& x) {
    if constexpr (size == 2) {
      const std::uint32_t bits = x.bits;
      w[c / 2] = c % 2 == 0 ? (w[c / 2] & 0xffff0000u) | bits : (w[c / 2] & 0xffffu) | bits << 16;
    } else {
      set_stored(c, x);
    }
  }
  __device__ __forceinline__ T stored(int c) const {
    if constexpr (size == 8)
      return (*this)[c];
    else if constexpr (size == 4)
      return __builtin_bit_cast(float, w[c]);
    else
      return T::from_bits(static_cast<std::uint16_t>(c % 2 == 0 ? w[c / 2] & 0xffffu : w[c / 2] >> 16));
  }
  /// Numbers, rounded; none is NaN.
  __device__ __forceinline__ static piece of_numbers(const V (&y)[K]) {
    piece r;
    if constexpr (size >= 4) {
      memcpy(r.w, y, sizeof r.w);
    } else {
#pragma unroll
      for (int c = 0; c < K; c += 2) r.w[c / 2] = rounded_pair<T>(y[c], y[c + 1]);
    }
    return r;
  }
  /// Numbers, rounded, and NaN as the canonical one.
  __device__ __forceinline__ static piece of(V (&y)[K]) {
    if constexpr (size >= 4) {
#pragma unroll
      for (int c = 0; c < K; ++c) y[c] = y[c] == y[c] ? y[c] : nan();
      return of_numbers(y);
    } else {
      piece r = of_numbers(y);
#pragma unroll
      for (int c = 0; c < K; c += 2)
        if (!(y[c] == y[c] && y[c + 1] == y[c + 1])) [[unlikely]] {
          if (y[c] != y[c]) r.w[c / 2] = (r.w[c / 2] & 0xffff0000u) | nan_bits;
          if (y[c + 1] != y[c + 1]) r.w[c / 2] = (r.w[c / 2] & 0xffffu) | nan_bits << 16;
        }
      return r;
    }
  }

  static constexpr std::uint32_t nan_bits = __is_same(T, f16)    ? 0x7e00u
                                            : __is_same(T, bf16) ? 0x7fc0u
                                            : size == 4          ? 0x7fc00000u
                                                                 : 0x7ff80000u;
  __device__ static V nan() {
    if constexpr (size == 8)
      return __builtin_bit_cast(double, std::uint64_t{0x7ff8000000000000});
    else
      return __builtin_bit_cast(float, 0x7fc00000u);
  }
  /// All elements canonical NaN.
  __device__ __forceinline__ static piece all_nan() {
    piece r;
#pragma unroll
    for (int i = 0; i < count; ++i)
      r.w[i] = size == 8 ? (i % 2 == 0 ? 0 : nan_bits) : size == 4 ? nan_bits : nan_bits | nan_bits << 16;
    return r;
  }
  /// All elements -infinity, or zero.
  template <bool Infinite>
  __device__ __forceinline__ static piece filled() {
    piece r;
#pragma unroll
    for (int i = 0; i < count; ++i) r.w[i] = filler<Infinite>(i);
    return r;
  }
  /// What is stored at p, a multiple of its size, by one load or store. By __stcg, where `Whole`: of two plain stores,
  /// one of them in parts, the compiler would make one in parts.
  __device__ __forceinline__ static piece at(const T* p) {
    const auto v = *reinterpret_cast<const typename vector_of<K * size>::type*>(p);
    piece r;
    memcpy(r.w, &v, sizeof v);
    return r;
  }
  template <bool Whole>
  __device__ __forceinline__ void store(T* p) const {
    using vector = typename vector_of<K * size>::type;
    vector v;
    memcpy(&v, w, sizeof v);
    if constexpr (Whole)
      __stcg(reinterpret_cast<vector*>(p), v);
    else
      *reinterpret_cast<vector*>(p) = v;
  }
  /// Word i of its words of K0 elements.
  template <int K0>
  __device__ __forceinline__ void set_word(int i, const piece<T, K0>& word) {
#pragma unroll
    for (int k = 0; k < piece<T, K0>::count; ++k) w[i * piece<T, K0>::count + k] = word.w[k];
  }
  template <int K0>
  __device__ __forceinline__ piece<T, K0> word(int i) const {
    piece<T, K0> r;
#pragma unroll
    for (int k = 0; k < piece<T, K0>::count; ++k) r.w[k] = w[i * piece<T, K0>::count + k];
    return r;
  }

 private:
  /// The stored -infinity, or zero, in all of a register.
  template <bool Infinite>
  __device__ static constexpr std::uint32_t filler(int i) {
    if (!Infinite) return 0;
    return __is_same(T, f16)    ? 0xfc00fc00u
           : __is_same(T, bf16) ? 0xff80ff80u
           : size == 4          ? 0xff800000u
           : i % 2 == 0         ? 0
                                : 0xfff00000u;
  }
};

/// One value rounded to its stored form.
template <class T>
__device__ __forceinline__ T stored_of(line_value<T> y) {
  if constexpr (sizeof(T) >= 4)
    return y == y ? y : piece<T, 4>::nan();
  else
    return y == y ? T::from_bits(static_cast<std::uint16_t>(rounded_pair<T>(y, 0.0f)))
                  : T::from_bits(static_cast<std::uint16_t>(piece<T, 2>::nan_bits));
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
