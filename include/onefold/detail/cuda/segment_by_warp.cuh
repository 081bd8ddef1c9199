// How all threads of a warp fold a strip that lies in shared memory, or longer segments, four at a time where there are
// as many.
#pragma once

#include "onefold/detail/cuda/segment_by_thread.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// How all threads of a warp fold strips, and segments of more than segment_by_thread takes, up to a strip.
template <class F, class T>
struct segment_by_warp {
  using fold = tile_fold<F, T>;
  using L = typename fold::L;
  static constexpr int lanes = fold::lanes, held = fold::held;

  const F& f;

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

  /// The segments of threads with `there`, n elements at x[place]: their states to `mine`. `list`: memory of the warp
  /// for 36 numbers.
  __device__ __forceinline__ void segments(const T* x, bool there, int place, int n, std::uint32_t* list,
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

 private:
  static constexpr int of_thread = segment_by_thread<F, T>::of_thread;
  /// Segments that are folded at once.
  static constexpr int together = sizeof(L) <= 16 ? 4 : 1;

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
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
