// How one thread folds a short segment that lies in shared memory, beside the other threads of its warp.
#pragma once

#include "onefold/detail/cuda/meet.cuh"
#include "onefold/detail/cuda/rows.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// How each thread of a warp folds a segment of its own, of up to of_thread elements.
template <class F, class T>
struct segment_by_thread {
  using fold = tile_fold<F, T>;
  using L = typename fold::L;
  static constexpr int lanes = fold::lanes;

  /// Whether a lane that is not there can be the identity, and pairs may meet the other way round.
  static constexpr bool is_lenient = of_library<F> && is_symmetric<F, T> && sizeof(L) <= 8;

  /// Whether words of 16 bytes can be read, which avoids that threads whose segments are a multiple of 32 words apart
  /// wait for one bank of shared memory.
  static constexpr bool by_words = is_lenient && sizeof(L) <= 4;
  /// One thread folds a segment of up to this many elements; the warp folds longer ones.
  static constexpr int preferred = by_words ? 64 : is_lenient ? 31 : 48;
  static constexpr int of_thread = lanes < preferred ? lanes : preferred;

  const F& f;

  /// The state of a segment of n elements at p, n <= of_thread; those of the warp have at most `most`, at least 1.
  __device__ __forceinline__ L segment(const T* p, int n, int most) const {
    if constexpr (!is_lenient)
      return of_lanes(p, n, most);
    else if (most <= 8)
      return of_few<0>(p, n, most);
    else if (most <= 16)
      return of_few<1>(p, n, most);
    else
      return of_few<2>(p, n, most);
  }
  __device__ static bool is_aligned(const T* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; }

 private:
  /// A thread's elements that are read at a time.
  static constexpr int at_once = sizeof(L) <= 8 ? 8 : sizeof(L) <= 16 ? 4 : 2;
  static constexpr int tree_levels = std::bit_width(static_cast<unsigned>(of_thread / at_once)) - 1;

  /// An element's state; `i` is its number in its segment.
  __device__ __forceinline__ L state(const storage_t<T>& x, int i) const {
    return end_strip(f, lift_at(f, liftable<F, T>(__builtin_bit_cast(T, x)), i));
  }
  /// s[0] with all of N others, of which s[k] meets s[k + N / 2] first.
  template <int N>
  __device__ __forceinline__ L halved(L* s) const {
    if constexpr (N == 1) {
      return s[0];
    } else {
#pragma unroll
      for (int k = 0; k < N / 2; ++k) s[k] = f.combine(s[k], s[k + N / 2]);
      return halved<N / 2>(s);
    }
  }

  /// The states of a word of 16 bytes.
  struct word_states {
    static constexpr int count = 16 / static_cast<int>(sizeof(T));
    L s[count];
  };
  /// What `read` gives for word K after halving to W of `All` words, depth first, which takes the fewest registers.
  template <int K, int W, int All, class Read>
  __device__ __forceinline__ word_states halved_words(const Read& read) const {
    if constexpr (W == All) {
      return read(K);
    } else {
      word_states left = halved_words<K, 2 * W, All>(read);
      const word_states right = halved_words<K + W, 2 * W, All>(read);
#pragma unroll
      for (int c = 0; c < word_states::count; ++c) left.s[c] = f.combine(left.s[c], right.s[c]);
      return left;
    }
  }

  /// A segment of n elements at p, a multiple of 16 bytes, n <= 8 << Log2, or n <= 64 and Log2 = 2. With Full all
  /// lanes of it are there. Words of 16 bytes are read, by each thread in different order, for segments that begin in
  /// the same banks of shared memory. `most`: the most elements of a thread.
  template <int Log2, bool Full>
  __device__ __forceinline__ L of_words(const T* p, int n, int most) const {
    constexpr int K = word_states::count, count = 8 << Log2 > K ? (8 << Log2) / K : 1;
    constexpr int apart = count < 8 ? std::bit_width(8u / count) - 1 : 0;
    const L none = identity_of<F, lane_value<F, T>>(f);
    const int turned = lane_id() >> apart & (count - 1);
    const auto states = [&](int first) {
      const auto x = *reinterpret_cast<const neighbors<storage_t<T>, K>*>(p + first);
      word_states w;
#pragma unroll
      for (int c = 0; c < K; ++c) w.s[c] = selected(Full || first + c < n, state(x.e[c], first + c), none);
      return w;
    };
    word_states all = halved_words<0, 1, count>([&](int k) {
      const int first = K * (k ^ turned);
      word_states w = states(first);
      if constexpr (Log2 == 2 && !Full)
        if (most > 32) {
          const word_states beyond = states(first + 32);
#pragma unroll
          for (int c = 0; c < K; ++c) w.s[c] = f.combine(w.s[c], beyond.s[c]);
        }
      return w;
    });
    return halved<K>(all.s);
  }

  /// The same, of elements anywhere. Sixteen lanes at once, which wait together.
  template <int Log2>
  __device__ __forceinline__ L of_elements(const T* p, int n, int most) const {
    constexpr int turns = Log2 < 2 ? 1 : 2, count = (8 << Log2) / turns;
    const L none = identity_of<F, lane_value<F, T>>(f);
    const auto* const elements = reinterpret_cast<const storage_t<T>*>(p);
    L left{}, total{};
#pragma unroll 1
    for (int turn = 0; turn < turns; ++turn) {
      const auto one = [&](int i) { return selected(turn + i < n, state(elements[turn + i], turn + i), none); };
      L s[count];
#pragma unroll
      for (int k = 0; k < count; ++k) s[k] = one(k * turns);
      if (Log2 == 2 && most > 32) {
#pragma unroll
        for (int k = 0; k < count; ++k) s[k] = f.combine(s[k], one(k * turns + 32));
      }
      total = halved<count>(s);
      if (turn == 0)
        left = total;
      else
        total = f.combine(left, total);
    }
    return total;
  }

  /// A segment of n <= of_thread elements at p; those of the warp have at most `most`, at least 1. After the segment
  /// 64 elements may be read.
  template <int Log2>
  __device__ __forceinline__ L of_few(const T* p, int n, int most) const {
    if constexpr ((sizeof(L) << Log2) <= 16) {
      if (__all_sync(whole_warp, is_aligned(p))) {
        if constexpr ((8 << Log2) % word_states::count == 0)
          if (__all_sync(whole_warp, n == 8 << Log2)) return of_words<Log2, true>(p, n, most);
        return of_words<Log2, false>(p, n, most);
      }
    }
    return of_elements<Log2>(p, n, most);
  }

  /// A segment of n elements at p; those of the warp have at most `most`, at least 1. With none: a state that is not
  /// looked at. After the segment a row may be read.
  __device__ __forceinline__ L of_lanes(const T* p, int n, int most) const {
    if (!of_library<F> && n <= 0) return L{};  // a user's operation sees only elements
    // Turns for the greatest power of two of lanes; each of the lanes beyond meets one of them first.
    const int turns_log2 = most < 2 * at_once ? 0 : 31 - __clz(most / at_once), far = at_once << turns_log2;
    const auto lane_of = [&](int turn) {  // bits reversed: lanes that meet last are far apart in time
      return static_cast<int>(__brev(static_cast<unsigned>(turn)) >> 1 >> (31 - turns_log2));
    };
    // Threads take the lanes of a turn in different order, each as its pairs meet in the end: segments of 32 elements
    // begin in the same bank of shared memory.
    const int turned = lane_id() >> 2 & (at_once - 1);
    int lane[at_once];
#pragma unroll
    for (int k = 0; k < at_once; ++k) lane[k] = (k ^ turned) << turns_log2;
    L left[tree_levels + 1], total{};
#pragma unroll 1
    for (int turn = 0; turn < 1 << turns_log2; ++turn) {
      const int first = lane_of(turn), there = (n - first + (1 << turns_log2) - 1) >> turns_log2;
      L s[at_once];
#pragma unroll
      for (int k = 0; k < at_once; ++k) {
        const int i = of_library<F> || (k ^ turned) < there ? first + lane[k] : 0;
        s[k] = end_strip(f, lift_at(f, liftable<F, T>(p[i]), i));
      }
      if (first + far < most) {
#pragma unroll
        for (int k = 0; k < at_once; ++k) {
          const bool is_there = first + lane[k] + far < n;
          const int i = is_there ? first + lane[k] + far : 0;
          const L beyond = end_strip(f, lift_at(f, liftable<F, T>(p[i]), i));
          s[k] = selected(is_there, f.combine(s[k], beyond), s[k]);
        }
      }
#pragma unroll
      for (int half = at_once / 2; half > 0; half /= 2)
#pragma unroll
        for (int k = 0; k < half; ++k)
          s[k] = joined_as<T>(f, s[k], s[k + half], turned & half, ((k ^ turned) & (half - 1)) + half < there);
      total = s[0];
#pragma unroll
      for (int l = 0; l < tree_levels; ++l) {  // as the carry of a counter: no `break`, which would keep it a loop
        if ((turn & ((1 << l) - 1)) != (1 << l) - 1) continue;
        if ((turn >> l & 1) == 0)
          left[l] = total;
        else
          total = selected(lane_of(turn >> l << l) < n, f.combine(left[l], total), left[l]);
      }
    }
    return total;
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
