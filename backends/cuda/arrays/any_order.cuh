// Schedule *any order*, for folds whose result does not depend on it: integer sums, extremes, counts, bits. Each thread
// keeps one state to the end, and nothing meets before.
#pragma once

#include <algorithm>

#include "arrays/strips.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

template <class F, class T>
inline constexpr bool has_any_order = false;
template <class F, class T>
requires(is_order_free<F>) inline constexpr bool has_any_order<F, T> = warp_lanes<F, T>::groups == 1;

template <class F, class T>
ONEFOLD_INLINE constexpr std::int64_t strips_of(std::int64_t n) {
  return (n + warp_lanes<F, T>::strip - 1) / warp_lanes<F, T>::strip;
}

/// A thread's part of a strip.
template <class F, class T>
struct strip_share {
  using page = warp_lanes<F, T>;
  using L = lane_state<F, T>;
  static constexpr int sums = page::K < 4 ? page::K : 4;  ///< at once, for their latency

  __device__ static L join(const F& f, const L* s, int held) {
    L t = s[0];
#pragma unroll
    for (int c = 1; c < held; ++c) t = f.combine(t, s[c]);
    return t;
  }
  __device__ static L whole(const F& f, const storage_t<T>* p) {
    neighbors<storage_t<T>, page::K> x[strip_rows];
#pragma unroll
    for (int r = 0; r < strip_rows; ++r) x[r] = neighbors<storage_t<T>, page::K>::load(p + r * page::lanes);
    const auto element = [&](int i) { return page::element(x[i / page::K].e[i % page::K]); };
    constexpr int count = strip_rows * page::K;
    L t[sums];
    if constexpr (speculative_pick<F>::exists) {
      std::uint32_t largest = 0;
#pragma unroll
      for (int i = 0; i < count; ++i) {
        t[i % sums] = i < sums ? f.lift(element(i)) : speculative_pick<F>::push(t[i % sums], element(i));
        largest = max(largest, speculative_pick<F>::size(element(i)));
      }
      const L speculative = join(f, t, sums);
      if (speculative_pick<F>::is_valid(speculative, largest)) [[likely]]
        return speculative;
    }
#pragma unroll
    for (int i = 0; i < count; ++i) t[i % sums] = i < sums ? f.lift(element(i)) : f.push(t[i % sums], element(i));
    return join(f, t, sums);
  }
  /// Of the `left` elements that begin at p. Not inlined: at most one strip of an aligned array is partly filled.
  __device__ __noinline__ static L part(const F& f, const storage_t<T>* p, std::int64_t left, bool aligned) {
    const int here = static_cast<int>(min(left, std::int64_t{page::strip})) - lane_id() * page::K;
    return join(f, page::part_strip(f, p, here, aligned).s, page::K);
  }
};

/// A block folds a.turns neighboring strips, each of its warps one at once.
template <class F, class T>
__global__ void __launch_bounds__(256, 3) fold_any_order(const __grid_constant__ kernel_arguments<F, T> a) {
  using page = warp_lanes<F, T>;
  using S = tree_state<F, T>;
  alignas(S) __shared__ unsigned char state_memory[32 * sizeof(S)];
  S* const states = reinterpret_cast<S*>(state_memory);
  const int warp = static_cast<int>(threadIdx.x / 32), warps = static_cast<int>(blockDim.x / 32);
  const bool aligned = reinterpret_cast<std::uintptr_t>(a.data) % 16 == 0;
  await_stream();

  const std::int64_t n = a.count();
  const int strips = static_cast<int>(strips_of<F, T>(n));
  const int blocks = a.device_n ? max((strips + a.turns - 1) / a.turns, 1) : max(static_cast<int>(gridDim.x) - 1, 1);
  if (blocks > 1 && blockIdx.x == gridDim.x - 1)
    return gather(a, n, blocks, warp, warps, states, [] { __syncthreads(); });
  const int first = static_cast<int>(blockIdx.x) * a.turns;
  if (blockIdx.x > 0 && first >= strips) return;

  const int past = min(first + a.turns, strips);
  const int whole = aligned ? static_cast<int>(n / page::strip) : 0;  // strips
  const auto* const data = reinterpret_cast<const storage_t<T>*>(a.data) + lane_id() * page::K;
  S mine = empty_state<F, T>(a.fold);
#pragma unroll 1
  for (int s = first + warp; s < past; s += warps) {
    const auto* const p = data + std::int64_t{s} * page::strip;
    const auto t = s < whole ? strip_share<F, T>::whole(a.fold, p)
                             : strip_share<F, T>::part(a.fold, p, n - std::int64_t{s} * page::strip, aligned);
    mine = a.fold.combine(mine, to_tree<F, T>(a.fold, t));
  }
  release_stream();
#pragma unroll
  for (int d = 16; d > 0; d /= 2) mine = a.fold.combine(mine, from_xor(mine, d));
  if (warps > 1) {
    if (lane_id() == 0) states[warp] = mine;
    __syncthreads();
    if (warp != 0) return;
    mine = states[lane_id() & (warps - 1)];
    for (int d = warps / 2; d > 0; d /= 2) mine = a.fold.combine(mine, from_xor(mine, d));
  }
  if (threadIdx.x == 0) publish(a, n, blockIdx.x, blocks, mine);
}

/// Folds for which this schedule is the best at every size: 2-byte elements are widened, and strips would meet in f32
/// (H200, max of 2^29 bf16: 240 us instead of 276).
template <class F, class T>
inline constexpr bool is_always_free = compares_floats<F>&& is_small_float<T>;

/// How a launch spreads strips over blocks. The borders were measured on an H200 (docs/cuda.md).
struct unordered_schedule {
  bool fits = false;  ///< for more than a page, and if not `always` so little that a warp folds one strip or two
  int warps = 8, turns = 8, blocks = 1;

  unordered_schedule(std::int64_t strips, int processors, bool always) {
    const bool large = strips > 24 * processors;
    if (strips <= page_strips || (large && !always)) return;
    fits = true;
    if (strips <= 16) {
      turns = 16;
    } else {
      if (strips <= 4 * processors) turns = warps = 4;
      if (large) {  // whole waves of three blocks a multiprocessor, of about eight turns
        const std::int64_t wave = 3 * processors, waves = std::max<std::int64_t>(1, strips / (64 * wave));
        turns = static_cast<int>((strips + waves * wave - 1) / (waves * wave));
      }
      blocks = static_cast<int>((strips + turns - 1) / turns);
    }
  }
};

/// Launches fold f over n elements T at how.data: in any order where that is allowed and gains, else in strips.
template <class F, class T>
int launch_in_any_order(const F& f, std::int64_t n, const device_launch& how) {
  if constexpr (has_any_order<F, T>) {
    if (pages_of(n, sizeof(T)) > most_pages) return cudaErrorInvalidValue;
    const unordered_schedule spread(strips_of<F, T>(n), how.processors, is_always_free<F, T>);
    if (spread.fits && !is_turned<F, T>(how)) {
      kernel_arguments<F, T> a = arguments_for<F, T>(f, n, how);
      a.turns = spread.turns;
      return launch(how, grid_of(spread.blocks), 32u * static_cast<unsigned>(spread.warps), 0, fold_any_order<F, T>, a);
    }
  }
  return launch_in_strips<F, T>(f, n, how);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
