// Elements in 16-byte words, which a warp reads straight into registers at any alignment, and folds there.
#pragma once

#include "onefold/detail/cuda/meet.cuh"
#include "onefold/detail/cuda/outputs.cuh"

#include <algorithm>
#include <bit>

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// What is known of where elements lie.
struct word_places {
  const char *from, *past;  ///< the bytes that may be read
  bool shifted;             ///< whether elements may begin elsewhere than at a multiple of 16 bytes
  bool edges;               ///< whether a word with an element may have bytes that must not be read
};

/// Elements in 16-byte words, and what a warp makes of them. A row is what its threads load at once: one of each lane.
template <class F, class T>
struct word_fold {
  using stored = storage_t<T>;
  using L = lane_state<F, T>;
  using S = tree_state<F, T>;
  static constexpr int size = static_cast<int>(sizeof(T)), K = 16 / size, lanes = lanes_of(size);
  static constexpr int strip = strip_rows * lanes;
  static_assert(lanes == 32 * K);

  /// K neighbors, as they lie in memory.
  struct word {
    std::uint32_t w[4];

    /// By one load past the first-level cache: nothing is read twice.
    __device__ static word load(const char* at) {
      const uint4 v = __ldcs(reinterpret_cast<const uint4*>(at));
      return {{v.x, v.y, v.z, v.w}};
    }
    __device__ stored part(int c) const {
      stored e;
      const std::uint32_t low = size < 4 ? w[c * size / 4] >> (8 * (c * size % 4)) : 0;
      memcpy(&e, size < 4 ? &low : &w[c * size / 4], sizeof e);
      return e;
    }
    __device__ auto element(int c) const { return liftable<F, T>(__builtin_bit_cast(T, part(c))); }
  };

  /// 32-bit registers of the states of a row.
  static constexpr int registers = K * words<L>::count;
  /// Outputs of up to a row that a thread folds at once.
  static constexpr int at_once = std::clamp(static_cast<int>(std::bit_floor(16u / registers)), 1, 4);

  const F& f;
  const word_places& how;

  // ---- words -----------------------------------------------------------------------------------------------

  /// Whether all of a word may be read.
  __device__ bool is_whole(const char* at) const { return !how.edges || (at >= how.from && at + 16 <= how.past); }
  /// The elements of a word that may be read; in place of others, zeros.
  __device__ __forceinline__ word edge(const char* at) const {
    word x{};
#pragma unroll
    for (int c = 0; c < K; ++c) {
      const char* const p = at + c * size;
      if (p < how.from || p >= how.past) continue;
      if constexpr (size < 4) {
        stored e = *reinterpret_cast<const stored*>(p);
        std::uint32_t part = 0;
        memcpy(&part, &e, size);
        x.w[c * size / 4] |= part << (8 * (c * size % 4));
      } else {
#pragma unroll
        for (int i = 0; i < size / 4; ++i) x.w[c * size / 4 + i] = reinterpret_cast<const std::uint32_t*>(p)[i];
      }
    }
    return x;
  }

  /// By bits: of a choice between elements of an array the compiler may make one between their addresses.
  __device__ static std::uint32_t pick(bool first, std::uint32_t a, std::uint32_t b) {
    const std::uint32_t mask = first ? ~0u : 0u;
    return (a & mask) | (b & ~mask);
  }
  __device__ static word pick(bool first, const word& a, const word& b) {
    return {{pick(first, a.w[0], b.w[0]), pick(first, a.w[1], b.w[1]), pick(first, a.w[2], b.w[2]),
             pick(first, a.w[3], b.w[3])}};
  }
  /// The bytes from byte `skip` of `own` on, then those of `next`.
  __device__ __forceinline__ static word shifted(const word& own, const word& next, int skip) {
    std::uint32_t v[8] = {own.w[0], own.w[1], own.w[2], own.w[3], next.w[0], next.w[1], next.w[2], next.w[3]};
    constexpr int after4 = size <= 2 ? 5 : 4, after8 = size <= 4 ? after4 + 1 : 4;
    if constexpr (size <= 8) {
#pragma unroll
      for (int i = 0; i < after8; ++i) v[i] = pick(skip & 8, v[i + 2], v[i]);
    }
    if constexpr (size <= 4) {
#pragma unroll
      for (int i = 0; i < after4; ++i) v[i] = pick(skip & 4, v[i + 1], v[i]);
    }
    if constexpr (size <= 2) {
#pragma unroll
      for (int i = 0; i < 4; ++i) v[i] = __funnelshift_r(v[i], v[i + 1], 8 * (skip & 3));
    }
    return {{v[0], v[1], v[2], v[3]}};
  }
  /// What `shifted` looks at of the word after `own`, from the thread above; thread 31 has thread 0's `wrapped`.
  __device__ __forceinline__ static word from_next(const word& own, const word& wrapped) {
    const word sent = pick(lane_id() == 0, wrapped, own);
    constexpr int wanted = size >= 8 ? 2 : size == 4 ? 3 : 4;
    word x = own;
#pragma unroll
    for (int i = 0; i < wanted; ++i) x.w[i] = __shfl_sync(whole_warp, sent.w[i], (lane_id() + 1) & 31);
    return x;
  }

  /// How many bytes of the first word of the elements at p are before them.
  __device__ int before(const T* p) const {
    return how.shifted ? static_cast<int>(reinterpret_cast<std::uintptr_t>(p) & 15) : 0;
  }
  /// The words of n elements at p, of up to `Rows` rows; a word may follow that these have no room for.
  template <int Rows>
  __device__ __forceinline__ void load(const T* p, int n, word (&x)[Rows]) const {
    const int skip = before(p);
    const char* const at = reinterpret_cast<const char*>(p) - skip;
    const int count = (skip + n * size + 15) / 16;
    const bool first = is_whole(at), last = is_whole(at + 16 * (count - 1));
    const int from = first ? 0 : 1, past = last ? count : count - 1;
#pragma unroll
    for (int i = 0; i < Rows; ++i) {
      const int w = 32 * i + lane_id();
      if ((i > 0 || w >= from) && w < past) x[i] = word::load(at + 16 * w);
    }
    if (first && last) [[likely]]
      return;
    if (!first) x[0] = pick(lane_id() == 0, edge(at), x[0]);
    if (!last) {
      const word y = edge(at + 16 * (count - 1));
#pragma unroll
      for (int i = 0; i < Rows; ++i) x[i] = pick(32 * i + lane_id() == count - 1, y, x[i]);
    }
  }
  /// Moves the elements at p to where those of an aligned p would be.
  template <int Rows>
  __device__ __forceinline__ void align(const T* p, int n, word (&x)[Rows]) const {
    const int skip = before(p);
    word beyond = x[0];  // the word that follows all these, in thread 0
    if (lane_id() == 0 && skip + n * size > 512 * Rows) {
      const char* const at = reinterpret_cast<const char*>(p) - skip + 512 * Rows;
      beyond = is_whole(at) ? word::load(at) : edge(at);
    }
#pragma unroll
    for (int i = 0; i < Rows; ++i) x[i] = shifted(x[i], from_next(x[i], i + 1 < Rows ? x[i + 1] : beyond), skip);
  }

  // ---- lanes -----------------------------------------------------------------------------------------------

  /// This thread's lanes of a strip of n elements, of which the first has number `index`. Whole: n is a strip's.
  template <bool Whole, int Rows>
  __device__ __forceinline__ void rows(const word (&x)[Rows], int n, std::int64_t index, L (&s)[K]) const {
    const int first = K * lane_id();
#pragma unroll
    for (int c = 0; c < K; ++c) s[c] = lift_at(f, x[0].element(c), index + first + c);
#pragma unroll
    for (int r = 1; r < Rows; ++r) {
      if (Whole || (r + 1) * lanes <= n) {
#pragma unroll
        for (int c = 0; c < K; ++c) s[c] = push_at(f, s[c], x[r].element(c), index + r * lanes + first + c);
      } else if (r * lanes < n) {  // no `break`, which would keep it a loop
#pragma unroll
        for (int c = 0; c < K; ++c)
          s[c] = selected(r * lanes + first + c < n, push_at(f, s[c], x[r].element(c), index + r * lanes + first + c),
                          s[c]);
      }
    }
#pragma unroll
    for (int c = 0; c < K; ++c) s[c] = Whole ? end_full_strip(f, s[c]) : end_strip(f, s[c]);
  }

  // ---- the total of an output ------------------------------------------------------------------------------

  /// M outputs, a power of two, of more than Width / 2 words and up to Width, whose lanes as many threads hold: thread
  /// t the lanes K t to K t + K - 1 of each, lane K t + c of output m in v[K m + c]; `partner`: whether there are lanes
  /// in the second half of the threads for this thread's pair. While a thread holds several states, it gives half of
  /// them away for half of its partner's. At the end each has the totals of totals_of outputs, and returns the number
  /// of the first; where there are fewer outputs than threads, several have the same.
  template <int Width, int M>
  static constexpr int totals_of = M > Width ? M / Width : 1;
  template <int Width, int M>
  __device__ __forceinline__ int totals(const L (&v)[K * M], bool partner, L (&to)[totals_of<Width, M>]) const {
    halve<Width, M, Width>(v, partner, to);
    return (lane_id() & (Width - 1)) * M / Width;
  }
  template <int Width, int M, int W, int Held, int Outputs>
  __device__ __forceinline__ void halve(const L (&v)[Held], bool partner, L (&to)[Outputs]) const {
    if constexpr (W > 1) {
      constexpr int w = W / 2, half = Held > 1 ? Held / 2 : 1;
      const bool right = lane_id() & w;
      L t[half];
#pragma unroll
      for (int i = 0; i < half; ++i) {
        if constexpr (Held == 1) {
          t[i] = meet<T>(f, v[0], from_xor(v[0], w), w, partner);
        } else {
          const L keep = selected(right, v[half + i], v[i]), give = selected(right, v[i], v[half + i]);
          t[i] = meet<T>(f, keep, from_xor(give, w), w, partner);
        }
      }
      halve<Width, M, w>(t, true, to);
    } else {
      // The first K lanes of each output are left. Where a thread holds fewer, others have the rest.
      constexpr int held = Held / Outputs;
      L t[Held];
#pragma unroll
      for (int i = 0; i < Held; ++i) t[i] = v[i];
      int bit = Width / 2 / M;
#pragma unroll
      for (int c = K / 2; c >= held; c /= 2, bit /= 2)
#pragma unroll
        for (int i = 0; i < held; ++i) t[i] = meet<T>(f, t[i], from_xor(t[i], bit), bit, true);
#pragma unroll
      for (int m = 0; m < Outputs; ++m) {
#pragma unroll
        for (int half = held / 2; half > 0; half /= 2)
#pragma unroll
          for (int i = 0; i < half; ++i) t[m * held + i] = f.combine(t[m * held + i], t[m * held + i + half]);
        to[m] = t[m * held];
      }
    }
  }

  // ---- a page from its strips ------------------------------------------------------------------------------

  /// The state of a page of `count` elements, in thread 0 of a warp, from the lanes of its `warps` strips in shared
  /// memory. Whole: they are all there.
  template <bool Whole>
  __device__ __forceinline__ L page(const L* strips, int warps, int count) const {
    const int j = lane_id();
    const auto there = [&](int lane) { return Whole || lane < count; };
    L t[K];
#pragma unroll
    for (int i = 0; i < K; ++i) {
      const auto of = [&](int s) { return strips[s * lanes + j + 32 * i]; };
      const auto both = [&](const L& a, int s) { return there(s * strip + j + 32 * i) ? f.combine(a, of(s)) : a; };
      t[i] = both(of(0), 1);
      if (warps == 4 && there(2 * strip + j + 32 * i)) t[i] = f.combine(t[i], both(of(2), 3));
    }
#pragma unroll
    for (int half = K / 2; half > 0; half /= 2)
#pragma unroll
      for (int i = 0; i < half; ++i)
        if (there(j + 32 * (i + half))) t[i] = f.combine(t[i], t[i + half]);
    L s = t[0];
#pragma unroll
    for (int w = 16; w > 0; w /= 2) {
      const L right = from_above(s, w);
      if (there(w + j)) s = f.combine(s, right);
    }
    return s;
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
