// How a warp folds segments that lie in shared memory: short ones by a thread each, longer ones by all threads, four at
// a time where there are as many.
#pragma once

#include "onefold/detail/cuda/rows.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// How a warp folds segments of up to a strip from shared memory.
template <class F, class T>
struct segment_fold {
  using fold = tile_fold<F, T>;
  using L = typename fold::L;
  static constexpr int lanes = fold::lanes, held = fold::held;

  /// Whether a lane that is not there can be the identity, and pairs may meet the other way round.
  static constexpr bool is_lenient = of_library<F> && is_symmetric<F, T> && sizeof(L) <= 8;

  /// Whether words of 16 bytes can be read, which avoids that threads whose segments are a multiple of 32 words apart
  /// wait for one bank of shared memory.
  static constexpr bool by_words = is_lenient && sizeof(L) <= 4;
  /// One thread folds a segment of up to this many elements; the warp folds longer ones.
  static constexpr int preferred = by_words ? 64 : is_lenient ? 31 : 48;
  static constexpr int of_thread = lanes < preferred ? lanes : preferred;
  /// Longer segments that the warp folds at once.
  static constexpr int together = sizeof(L) <= 16 ? 4 : 1;
  /// A thread's elements that are read at a time.
  static constexpr int at_once = sizeof(L) <= 8 ? 8 : sizeof(L) <= 16 ? 4 : 2;
  static constexpr int tree_levels = std::bit_width(static_cast<unsigned>(of_thread / at_once)) - 1;

  const F& f;

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

  // ---- by the warp -------------------------------------------------------------------------------------------

  /// This thread's lanes t, t + 32, ..., Held of them, of a strip of n elements, of which the first has number `index`
  /// in its output. With Full the strip has all its elements; without Long it has no more than 32 Held.
  template <bool Full, bool Long, int Held>
  __device__ __forceinline__ void strip(const T* p, int n, std::int64_t index, L (&s)[Held]) const {
    const int t = lane_id();
#pragma unroll
    for (int k = 0; k < Held; ++k) {
      const int i = Full || of_library<F> || t + 32 * k < n ? t + 32 * k : 0;
      s[k] = lift_at(f, liftable<F, T>(p[i]), index + i);
    }
    if constexpr (Full) {
      [[maybe_unused]] constexpr int rows_at_once = Held <= 4 && sizeof(L) <= 8 ? strip_rows - 1 : 1;
#pragma unroll rows_at_once
      for (int r = 1; r < strip_rows; ++r)
#pragma unroll
        for (int k = 0; k < Held; ++k) {
          const int i = t + 32 * k + r * lanes;
          s[k] = push_at(f, s[k], liftable<F, T>(p[i]), index + i);
        }
    } else if constexpr (Long) {
#pragma unroll 1
      for (int i = t + lanes; i < n + t; i += lanes)
#pragma unroll
        for (int k = 0; k < Held; ++k)
          if (i + 32 * k < n) s[k] = push_at(f, s[k], liftable<F, T>(p[i + 32 * k]), index + i + 32 * k);
    }
#pragma unroll
    for (int k = 0; k < Held; ++k) s[k] = end_strip(f, s[k]);
  }
  /// s[0] with this thread's others, of lanes of which `present` are there.
  template <int Held>
  __device__ __forceinline__ L own_total(L* s, int present) const {
    if constexpr (Held == 1) {
      return s[0];
    } else {
      constexpr int half = Held / 2;
#pragma unroll
      for (int k = 0; k < half; ++k)
        s[k] = selected(lane_id() + 32 * (k + half) < present, f.combine(s[k], s[k + half]), s[k]);
      return own_total<half>(s, present);
    }
  }
  /// The total of what the threads have, of which the first `present` have some, in each of them.
  __device__ __forceinline__ L total(L all, int present) const {
#pragma unroll
    for (int bit = 16; bit > 0; bit /= 2)
      all = meet<T>(f, all, from_xor(all, bit), bit, (lane_id() & (bit - 1)) + bit < present);
    return all;
  }

  /// What a thread has of one of several segments, and how many elements that has.
  struct share {
    L s;
    int n;
  };
  /// Whether the lane of a thread's partner is there, of segments that the warp folds: they have more than of_thread.
  __device__ static bool is_there(int bit, int n) { return of_thread >= 31 || (lane_id() & (bit - 1)) + bit < n; }
  /// Count segments of up to 32 Held elements; with Long up to a strip. Afterwards 32 / Count threads share a segment:
  /// those of which the upper bits of the lane number, in reverse, are its place in the list.
  template <int Count, int Held, bool Long>
  __device__ __forceinline__ share shares(const T* x, const std::uint32_t* list) const {
    if constexpr (Count == 1) {
      const int n = static_cast<int>(*list & 0xffff);
      L s[Held];
      strip<false, Long>(x + (*list >> 16), n, 0, s);
      return {own_total<Held>(s, n), n};
    } else {
      constexpr int bit = 32 / Count;
      const share a = shares<Count / 2, Held, Long>(x, list), b = shares<Count / 2, Held, Long>(x, list + Count / 2);
      const bool right = lane_id() & bit;  // gives the first segments away, for a part of the others
      const int n = right ? b.n : a.n;
      const L keep = selected(right, b.s, a.s), give = selected(right, a.s, b.s);
      return {meet<T>(f, keep, from_xor(give, bit), bit, is_there(bit, n)), n};
    }
  }
  /// Their states, each in the threads that share it.
  template <int Count, int Held, bool Long>
  __device__ __forceinline__ L totals(const T* x, const std::uint32_t* list) const {
    const share of = shares<Count, Held, Long>(x, list);
    L s = of.s;
#pragma unroll
    for (int bit = 16 / Count; bit > 0; bit /= 2) s = meet<T>(f, s, from_xor(s, bit), bit, is_there(bit, of.n));
    return s;
  }

  /// The state of a segment of n elements at p, n <= of_thread; those of the warp have at most `most`, at least 1.
  __device__ __forceinline__ L by_threads(const T* p, int n, int most) const {
    if constexpr (!is_lenient)
      return of_lanes(p, n, most);
    else if (most <= 8)
      return of_few<0>(p, n, most);
    else if (most <= 16)
      return of_few<1>(p, n, most);
    else
      return of_few<2>(p, n, most);
  }

  /// The state of this thread's segment of n elements, of up to a strip, at x[place]; of those without elements one
  /// that is not looked at.
  __device__ __forceinline__ L batch(const T* x, int place, int n, std::uint32_t* list) const {
    const int longest = warp_max(n);
    if (longest <= 0) return L{};
    int limit = of_thread;
    if constexpr (by_words)  // those that would wait for one bank after all
      if (longest > 31 && __all_sync(whole_warp, n % 16 == 0) && __any_sync(whole_warp, !is_aligned(x + place)))
        limit = 31;
    if (longest <= limit) return by_threads(x + place, n, longest);
    const int own = n <= limit ? n : 0, most = warp_max(own);
    L mine{};
    if (most > 0) mine = by_threads(x + place, own, most);
    by_warp(x, n > limit, place, n, list, mine);
    return mine;
  }

 private:
  __device__ static bool is_aligned(const T* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; }
  /// The segments of threads with `there`, n elements at x[place]: their states to `mine`. `list`: memory of the warp
  /// for 36 numbers.
  __device__ __forceinline__ void by_warp(const T* x, bool there, int place, int n, std::uint32_t* list,
                                          L& mine) const {
    const unsigned those = __ballot_sync(whole_warp, there);
    const int rank = __popc(those & ((1u << lane_id()) - 1)), all = __popc(those);
    if (there) list[rank] = static_cast<std::uint32_t>(place) << 16 | static_cast<std::uint32_t>(n);
    if (lane_id() < together) list[all + lane_id()] = 0;
    __syncwarp();
    int first = 0;
    if constexpr (together > 1) {
#pragma unroll 1
      while (first < all) {
        const int most = longest_of(list + first);
        if (most > lanes && first + together > all) break;
        const L s =
            most > lanes ? totals<together, held, true>(x, list + first) : of_a_row<held>(x, list + first, most);
        const int i = rank - first;
        const L its = from_lane(s, (i & 1) << 4 | (i & 2) << 2);
        mine = selected(there && i >= 0 && i < together, its, mine);
        first += together;
      }
    }
#pragma unroll 1
    for (; first < all; ++first) {
      const L s = totals<1, held, true>(x, list + first);
      mine = selected(there && rank == first, s, mine);
    }
    __syncwarp();
  }
  /// Segments of up to 32 Held elements, of which the longest has `most`.
  template <int Held>
  __device__ __forceinline__ L of_a_row(const T* x, const std::uint32_t* list, int most) const {
    if constexpr (Held > (of_thread < 32 ? 1 : 2))
      if (most <= 16 * Held) return of_a_row<Held / 2>(x, list, most);
    return totals<together, Held, false>(x, list);
  }
  __device__ static int longest_of(const std::uint32_t* list) {
    int most = 0;
#pragma unroll
    for (int i = 0; i < together; ++i) most = max(most, static_cast<int>(list[i] & 0xffff));
    return most;
  }
  __device__ static int warp_max(int x) {
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(whole_warp, x);
#else
#pragma unroll
    for (int bit = 16; bit > 0; bit /= 2) x = max(x, __shfl_xor_sync(whole_warp, x, bit));
    return x;
#endif
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
