// Schedule *tiles*: each block reads tiles of outputs into shared memory, one ahead, and folds from there, so that gaps
// between elements, and their alignment, cost nothing after that.
#pragma once

#include "onefold/detail/cuda/meet.cuh"
#include "onefold/detail/cuda/tiles.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// How outputs of up to a page are folded from shared memory, for operations that commute. Where a lane is missing, the
/// other one of its pair stays.
template <class F, class T>
struct tile_fold {
  using L = lane_state<F, T>;
  using S = tree_state<F, T>;
  static constexpr int lanes = lanes_of(sizeof(T)), held = lanes / 32;  ///< lanes of a thread of a warp
  static constexpr int levels = std::bit_width(static_cast<unsigned>(held)) - 1;

  /// Outputs that a thread folds at once, where states are small: 2^at_once_log2.
  static constexpr int at_once_log2 = sizeof(L) <= 8 ? 3 : sizeof(L) <= 16 ? 2 : 0;
  static constexpr int at_once = 1 << at_once_log2;
  /// Outputs of up to this many elements are folded at once: no more than a strip.
  static constexpr int most_at_once = page_rows * lanes / (at_once > 4 ? at_once : 4);

  const F& f;

  /// A group of `width` threads has the states of the lanes 0 .. present-1 of `Held` outputs each; at the end each
  /// thread has the state of one output.
  template <int Held>
  __device__ __forceinline__ L halve(const L (&s)[Held], int width, int present) const {
    const int w = width / 2;
    const bool there = (lane_id() & (w - 1)) + w < present;
    if constexpr (Held == 1) {
      L t = s[0];
#pragma unroll 1
      for (int bit = w; bit > 0; bit /= 2)
        t = meet<T>(f, t, from_xor(t, bit), bit, (lane_id() & (bit - 1)) + bit < present);
      return t;
    } else {  // gives half of its outputs away for half of its partner's
      constexpr int half = Held / 2;
      const bool right = lane_id() & w;
      L t[half];
#pragma unroll
      for (int c = 0; c < half; ++c) {
        const L keep = selected(right, s[half + c], s[c]), give = selected(right, s[c], s[half + c]);
        t[c] = meet<T>(f, keep, from_xor(give, w), w, there);
      }
      return halve<half>(t, w, present);
    }
  }

  // ---- many outputs at once --------------------------------------------------------------------------------

  /// Lane j of each of `at_once` outputs of n elements, j < n, that begin at x[at[0]], x[at[1]], ...
  __device__ __forceinline__ void column(const T* x, const int (&at)[at_once], int n, int j, L (&s)[at_once]) const {
#pragma unroll
    for (int m = 0; m < at_once; ++m) s[m] = lift_at(f, liftable<F, T>(x[at[m] + j]), j);
#pragma unroll 1
    for (int i = j + lanes; i < n; i += lanes)
#pragma unroll
      for (int m = 0; m < at_once; ++m) s[m] = push_at(f, s[m], liftable<F, T>(x[at[m] + i]), i);
#pragma unroll
    for (int m = 0; m < at_once; ++m) s[m] = end_strip(f, s[m]);
  }

  /// The state of one of `at_once` outputs of n elements, n <= most_at_once, by groups of `width` threads: output
  /// (thread of the group) / (width / at_once).
  __device__ __forceinline__ L short_outputs(const T* x, const int (&at)[at_once], int n, int width) const {
    const int t = min(lane_id() & (width - 1), n - 1);
    L s[at_once];
    column(x, at, n, t, s);
    // Lanes t, t + 32, ... of those that exist, a power of two, in the order in which they meet: the numbers' bits from
    // the lowest are those of their pairs.
    int log2 = levels;
    while (log2 > 0 && n <= 32 << (log2 - 1)) --log2;
    const auto lane = [&](int v) {
      return t + (log2 == 0 ? 0 : 32 * static_cast<int>(__brev(static_cast<unsigned>(v)) >> (32 - log2)));
    };
    L left[levels > 0 ? levels : 1][at_once];
#pragma unroll
    for (int m = 0; m < at_once; ++m) left[0][m] = s[m];
#pragma unroll 1
    for (int v = 1; v < 1 << log2; ++v) {
      const int j = lane(v);
      const bool any = j - t < n;  // of the warp; if not, s stays: it is the left one
      bool there = j < n;
      if (there) column(x, at, n, j, s);
#pragma unroll
      for (int l = 0; l < levels; ++l) {  // as the carry of a counter: no `break`, which would keep it a loop
        if ((v & ((1 << l) - 1)) != (1 << l) - 1) continue;
        if (l > 0 || any)
#pragma unroll
          for (int m = 0; m < at_once; ++m) {
            if ((v >> l & 1) == 0)
              left[l][m] = s[m];
            else
              s[m] = selected(there, f.combine(left[l][m], s[m]), left[l][m]);
          }
        if (v >> l & 1) there = lane(v >> (l + 1) << (l + 1)) < n;
      }
    }
    return halve<at_once>(s, width, min(n, width));
  }

  // ---- one output by all warps of a block ------------------------------------------------------------------

  /// Each warp takes one of `groups` groups of lanes, and one of `parts` parts of the strips.
  static constexpr int groups = held < tile_warps ? held : tile_warps, parts = tile_warps / groups;
  static constexpr int lanes_of_thread = held / groups;
  /// Outputs that meet at once.
  static constexpr int joint = sizeof(L) <= 4 ? 8 : sizeof(L) <= 8 ? 4 : sizeof(L) <= 16 ? 2 : 1;
  /// The states of all threads, for each of these outputs.
  using meeting = L[joint][tile_warps][32];

  /// This warp's strips, from `from` on, of lane j of n elements at p; the first of them has elements. `index` is
  /// p[0]'s.
  template <bool Full>
  __device__ __forceinline__ L strips(const T* p, int n, std::int64_t index, int j, int from) const {
    const int rows = Full ? page_rows : (n - j + lanes - 1) / lanes;
    L s[2];
#pragma unroll
    for (int i = 0; i < page_strips / parts; ++i) {
      const int first = j + (from + i) * strip_rows * lanes, here = rows - (from + i) * strip_rows;
      if (!Full && here <= 0) break;
      L x = lift_at(f, liftable<F, T>(p[first]), index + first);
#pragma unroll
      for (int r = 1; r < strip_rows; ++r)
        if (Full || r < here) x = push_at(f, x, liftable<F, T>(p[first + r * lanes]), index + first + r * lanes);
      if constexpr (Full)
        x = end_full_strip(f, x);
      else
        x = end_strip(f, x);
      s[i / 2] = i % 2 == 0 ? x : f.combine(s[i / 2], x);
    }
    const bool second = parts == 1 && (Full || rows > 2 * strip_rows);
    return second ? f.combine(s[0], s[1]) : s[0];
  }

  /// What a thread of warp `warp` has of an output of n elements.
  template <bool Full>
  __device__ __forceinline__ L share(const T* p, int n, std::int64_t index, int warp) const {
    const int group = warp % groups, from = warp / groups * (page_strips / parts);
    const int t = lane_id() + 32 * group;
    const auto lane = [&](int k) {  // with in-thread pairs at a distance of half of them, and so on
      return t + 32 * groups * k;
    };
    L s[lanes_of_thread];
#pragma unroll
    for (int k = 0; k < lanes_of_thread; ++k)
      if (Full || lane(k) + from * strip_rows * lanes < n)
        s[k] = strips<Full>(p, n, index, lane(k), from);
      else if (k == 0)
        s[0] = lift_at(f, liftable<F, T>(p[0]), index);  // not looked at
#pragma unroll
    for (int half = lanes_of_thread / 2; half > 0; half /= 2)
#pragma unroll
      for (int k = 0; k < half; ++k)
        if (Full || lane(k + half) < n) s[k] = f.combine(s[k], s[k + half]);
    return s[0];
  }

  /// The state of an output from what all threads have, in a warp.
  __device__ __forceinline__ L joined(const L (&x)[tile_warps][32], int n) const {
    const int t = lane_id();
    const auto strips_there = [&](int lane, int part) {
      return lane + part * (page_strips / parts) * strip_rows * lanes < n;
    };
    L s[groups];
#pragma unroll
    for (int g = 0; g < groups; ++g) {
      const int lane = t + 32 * g;
      s[g] = x[g][t];
      if constexpr (parts == 2) {
        if (strips_there(lane, 1)) s[g] = f.combine(s[g], x[groups + g][t]);
      } else if constexpr (parts == 4) {
        if (strips_there(lane, 1)) s[g] = f.combine(s[g], x[1][t]);
        if (strips_there(lane, 2))
          s[g] = f.combine(s[g], strips_there(lane, 3) ? f.combine(x[2][t], x[3][t]) : x[2][t]);
      }
    }
#pragma unroll
    for (int half = groups / 2; half > 0; half /= 2)
#pragma unroll
      for (int g = 0; g < half; ++g)
        if (t + 32 * (g + half) < n) s[g] = f.combine(s[g], s[g + half]);
    const L one[1] = {s[0]};
    return halve<1>(one, 32, min(n, 32));
  }
};

template <class F, class T>
__global__ void __launch_bounds__(32 * tile_warps, 6)
    fold_tiles(const __grid_constant__ outputs_arguments<F, T> a, const __grid_constant__ tiling how) {
  using fold = tile_fold<F, T>;
  using tile = typename tile_reader<F, T>::tile;
  using L = typename fold::L;
  ONEFOLD_DYNAMIC_MEMORY(memory);
  alignas(L) __shared__ unsigned char meeting_memory[sizeof(typename fold::meeting)];
  auto& meeting = *reinterpret_cast<typename fold::meeting*>(meeting_memory);
  char* const buffers = reinterpret_cast<char*>(memory);
  const int warp = static_cast<int>(threadIdx.x / 32);
  const tile_reader<F, T> reader{a, how};
  const fold folds{a.fold};

  // Short outputs: groups of `width` threads, a power of two.
  int width = 32;
  while (width > fold::at_once && width > 4 && width / 2 >= a.n) width /= 2;
  const int in_step = 32 / width, of_step = in_step * fold::at_once;
  const int spare = width >> fold::at_once_log2;  // threads that have the same state in the end
  const int place = lane_id() / width, own = (lane_id() & (width - 1)) / spare * in_step + place;
  const bool writes = (lane_id() & (spare - 1)) == 0;
  const auto fold_at_once = [&](const tile& now, char* buffer) {
#pragma unroll 1
    for (int first = warp * of_step; first < now.outputs; first += of_step * tile_warps) {
      int at[fold::at_once];
      if (how.even && first + of_step <= now.outputs) {
        const int begin = reader.place(now, first + place), step = in_step * how.pitch / static_cast<int>(sizeof(T));
#pragma unroll
        for (int m = 0; m < fold::at_once; ++m) at[m] = begin + m * step;
      } else {
#pragma unroll
        for (int m = 0; m < fold::at_once; ++m)
          at[m] = reader.place(now, min(first + m * in_step + place, now.outputs - 1));
      }
      const L s = folds.short_outputs(reinterpret_cast<const T*>(buffer), at, now.count, width);
      if (writes && first + own < now.outputs)
        a.finish_inlined(now.output + first + own, a.n, to_tree<F, T>(a.fold, s));
    }
  };

  const auto fold_together = [&](const tile& now, char* buffer) {
    const std::int64_t index = now.page * page_elements(sizeof(T));
    const bool full = now.count == page_elements(sizeof(T));
#pragma unroll 1
    for (int first = 0; first < now.outputs; first += fold::joint) {
      const int present = min(now.outputs - first, fold::joint);
      if (first > 0) __syncthreads();
#pragma unroll 1
      for (int i = 0; i < present; ++i) {
        const T* const p = reinterpret_cast<const T*>(buffer) + reader.place(now, first + i);
        if (full)
          meeting[i][warp][lane_id()] = folds.template share<true>(p, now.count, index, warp);
        else
          meeting[i][warp][lane_id()] = folds.template share<false>(p, now.count, index, warp);
      }
      __syncthreads();
#pragma unroll 1
      for (int i = warp; i < present; i += tile_warps) {
        const L s = folds.joined(meeting[i], now.count);
        if (lane_id() == 0) a.publish(now.output + first + i, now.page, to_tree<F, T>(a.fold, s));
      }
    }
  };

  await_stream();
  reader.walk(buffers, [&](const tile& now, char* buffer) {
    if (a.n <= fold::most_at_once && a.pages <= 1)
      fold_at_once(now, buffer);
    else
      fold_together(now, buffer);
  });
  release_stream();
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
