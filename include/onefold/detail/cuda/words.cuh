// What threads hand each other: states through shuffles, through flagged words in global memory, and loads of elements.
#pragma once

#include <cstdint>

#include "onefold/detail/cuda/ptx.cuh"
#include "onefold/types.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

// CUDA's, before the verbs of the same names.
using ::max;
using ::min;

inline constexpr unsigned whole_warp = 0xffffffffu;

/// A state as 32-bit words. States need not have a default constructor.
template <class S>
struct words {
  static constexpr int count = (sizeof(S) + 3) / 4;
  static constexpr int unrolled = count <= 32 ? count : 1;  ///< of loops over the words
  std::uint32_t w[count];

  __device__ static words of(const S& s) {
    words r;
    if constexpr (sizeof(S) % 4 != 0) r.w[count - 1] = 0;
    memcpy(r.w, &s, sizeof(S));
    return r;
  }
  __device__ S state() const {
    alignas(S) unsigned char bytes[sizeof(S)];
    memcpy(bytes, w, sizeof(S));
    return *reinterpret_cast<S*>(bytes);
  }
};

/// One of two states, word by word: choosing between the objects would choose between their addresses, in memory.
template <class S>
__device__ S selected(bool first, const S& a, const S& b) {
  words<S> x = words<S>::of(a);
  const words<S> y = words<S>::of(b);
#pragma unroll(words <S>::unrolled)
  for (int i = 0; i < words<S>::count; ++i) x.w[i] = first ? x.w[i] : y.w[i];
  return x.state();
}

/// The state of the thread whose lane number differs in the bits of `mask`.
template <class S>
__device__ S from_xor(const S& s, int mask) {
  words<S> r = words<S>::of(s);
#pragma unroll(words <S>::unrolled)
  for (int i = 0; i < words<S>::count; ++i) r.w[i] = __shfl_xor_sync(whole_warp, r.w[i], mask);
  return r.state();
}

/// The words of thread 0.
template <class S>
__device__ words<S> from_first(words<S> x) {
#pragma unroll(words <S>::unrolled)
  for (int i = 0; i < words<S>::count; ++i) x.w[i] = __shfl_sync(whole_warp, x.w[i], 0);
  return x;
}

/// The state of the thread with this lane number.
template <class S>
__device__ S from_lane(const S& s, int lane) {
  words<S> r = words<S>::of(s);
#pragma unroll(words <S>::unrolled)
  for (int i = 0; i < words<S>::count; ++i) r.w[i] = __shfl_sync(whole_warp, r.w[i], lane);
  return r.state();
}

/// The state of the thread `distance` lanes above.
template <class S>
__device__ S from_above(const S& s, int distance) {
  words<S> r = words<S>::of(s);
#pragma unroll(words <S>::unrolled)
  for (int i = 0; i < words<S>::count; ++i) r.w[i] = __shfl_down_sync(whole_warp, r.w[i], distance);
  return r.state();
}

/// The lane number of this thread.
__device__ inline int lane_id() { return static_cast<int>(threadIdx.x) & 31; }

/// Threads 0 .. present-1 of a warp hold neighboring nodes of the aligned tree; thread 0 gets their total.
template <class F, class S>
__device__ S aligned_warp_tree(const F& f, S s, int present) {
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const S right = from_above(s, d);
    if ((lane_id() & (2 * d - 1)) == 0 && lane_id() + d < present) s = f.combine(s, right);
  }
  return s;
}

// ---- flagged words (device.hpp) ----------------------------------------------------------------------------

/// Bytes of a state of `bytes` as flagged words.
constexpr int flagged_bytes_of(int bytes) { return 8 * ((bytes + 3) / 4); }
template <class S>
inline constexpr int flagged_bytes = flagged_bytes_of(sizeof(S));

/// Writes a state as flagged words, each at once.
template <class S>
__device__ void write_flagged(std::uint64_t* to, const S& s, std::uint32_t flag) {
  const words<S> x = words<S>::of(s);
#pragma unroll(words <S>::unrolled)
  for (int i = 0; i < words<S>::count; ++i)
    *reinterpret_cast<volatile std::uint64_t*>(to + i) = static_cast<std::uint64_t>(flag) << 32 | x.w[i];
}

// ---- elements ----------------------------------------------------------------------------------------------

template <int Bytes>
struct vector_of;
template <>
struct vector_of<1> {
  using type = std::uint8_t;
};
template <>
struct vector_of<2> {
  using type = std::uint16_t;
};
template <>
struct vector_of<4> {
  using type = std::uint32_t;
};
template <>
struct vector_of<8> {
  using type = uint2;
};
template <>
struct vector_of<16> {
  using type = uint4;
};

/// K neighboring elements as stored.
template <class Stored, int K>
struct alignas(K * sizeof(Stored)) neighbors {
  Stored e[K];

  /// By one load past the first-level cache: nothing is read twice.
  __device__ static neighbors load(const Stored* p) {
    using vector = typename vector_of<K * sizeof(Stored)>::type;
    const vector v = __ldcs(reinterpret_cast<const vector*>(p));
    neighbors r;
    memcpy(&r, &v, sizeof r);
    return r;
  }
  /// By one store, of what is not read again soon.
  __device__ void store(Stored* p) const {
    using vector = typename vector_of<K * sizeof(Stored)>::type;
    vector v;
    memcpy(&v, e, sizeof v);
    __stcs(reinterpret_cast<vector*>(p), v);
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
