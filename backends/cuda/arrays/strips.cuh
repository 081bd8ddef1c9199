// Schedule *strips*: four warps share a page, each loads one strip at once, and the lanes meet in shared memory; blocks
// of large inputs do so several times.
#pragma once

#include "arrays/turned_strip.cuh"
#include "onefold/detail/cuda/arrays.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Bytes of shared memory of a page in the schedule of strips; folds for which it would be too much have
/// schedule `pages`.
template <class F, class T>
inline constexpr int strip_bytes = 0;
template <class F, class T>
requires(layout_of<F, T> == layout::packs && warp_lanes<F, T>::groups == 1) inline constexpr int strip_bytes<F, T> =
    page_strips * lanes_of(sizeof(T)) * static_cast<int>(sizeof(lane_state<F, T>));
template <class F, class T>
inline constexpr bool has_strips = strip_bytes<F, T> > 0 && strip_bytes<F, T> <= 8192 &&  // 64 KiB in two buffers
                                   !__is_same(lane_state<F, T>, double_double<double>);   // too many operations

/// The most pages that a block folds at once, as log2: light states leave the registers for two blocks of 16 warps.
template <class F, class T>
inline constexpr int most_log2 = 1;
template <class F, class T>
requires has_strips<F, T>
inline constexpr int most_log2<F, T> =
    warp_lanes<F, T>::K * sizeof(lane_state<F, T>) <= 16 && !compares_floats<F> ? 2 : 1;

/// Blocks of a multiprocessor: as many as the registers have room for, where a load brings few elements.
template <class F, class T>
inline constexpr int resident_blocks = most_log2<F, T> == 1 && sizeof(T) >= 4 ? 3 : 2;

/// A page's state, in thread 0, from the lanes of its strips; lane j is where j + turned is in a row.
template <bool Whole, class F, class T>
__device__ tree_state<F, T> collapse(const F& f, const lane_state<F, T>* strips, int turned) {
  using L = lane_state<F, T>;
  constexpr int lanes = lanes_of(sizeof(T)), held = lanes / 32;
  L t[held];
#pragma unroll
  for (int i = 0; i < held; ++i) {
    const int at = (lane_id() + 32 * i + turned) & (lanes - 1);
    const auto strip = [&](int s) { return known_count<Whole>(f, strips[s * lanes + at], strip_rows); };
    t[i] = f.combine(f.combine(strip(0), strip(1)), f.combine(strip(2), strip(3)));
  }
#pragma unroll
  for (int half = held / 2; half > 0; half /= 2)
#pragma unroll
    for (int i = 0; i < half; ++i) t[i] = f.combine(t[i], t[i + half]);
  L s = t[0];
#pragma unroll
  for (int w = 16; w > 0; w /= 2)
    s = f.combine(s, known_count<Whole>(f, from_above(s, w), page_rows * lanes / (2 * w)));
  return to_tree<F, T>(f, s);
}

/// A block's share of the pages in the schedules of strips; Only: it is the only block, and there is one page.
template <class F, class T, bool Only>
struct block_share {
  const kernel_arguments<F, T>& a;
  const int warp = static_cast<int>(threadIdx.x / 32);
  const int place = Only ? 0 : static_cast<int>(threadIdx.x / (32 * page_strips));  ///< of its page among those at once
  const int strip = static_cast<int>(threadIdx.x / 32 % page_strips);
  const int log2 = Only ? 0 : a.log2, turns = Only ? 1 : a.turns;
  const int at_once = 1 << log2, of_block = at_once * turns;
  const std::int64_t n = a.count();
  const std::int64_t pages = pages_of(n, sizeof(T));
  const int blocks = Only ? 1 : static_cast<int>((pages + of_block - 1) >> (log2 + (Only ? 0 : __ffs(a.turns) - 1)));
  const std::int64_t first = Only ? 0 : std::int64_t{blockIdx.x} * of_block;
  const int present = static_cast<int>(min(pages - first, std::int64_t{of_block}));  ///< pages of this block
  const bool aligned = reinterpret_cast<std::uintptr_t>(a.data) % 16 == 0;
};

/// Whether arrays that do not begin at a multiple of 16 bytes are read by words, too.
template <class F, class T>
inline constexpr bool has_turned_strips = false;
template <class F, class T>
requires has_strips<F, T>
inline constexpr bool has_turned_strips<F, T> = is_direct<F, T>;

/// Turned: the array does not begin at a multiple of 16 bytes.
template <class F, class T, bool Only, bool Turned>
__global__ void __launch_bounds__(128 << (Only ? 0 : most_log2<F, T>), resident_blocks<F, T>)
    fold_strips(const __grid_constant__ kernel_arguments<F, T> a) {
  using page = warp_lanes<F, T>;
  using L = lane_state<F, T>;
  using S = tree_state<F, T>;
  constexpr int page_size = static_cast<int>(page_elements(sizeof(T)));
  ONEFOLD_DYNAMIC_MEMORY(memory);
  alignas(S) __shared__ unsigned char state_memory[32 * sizeof(S)];
  S* const states = reinterpret_cast<S*>(state_memory);

  await_stream();
  const block_share<F, T, Only> my{a};
  if constexpr (!Only)
    if (my.blocks > 1 && blockIdx.x == gridDim.x - 1)
      return gather(a, my.n, my.blocks, my.warp, 4 * my.at_once, states, [] { __syncthreads(); });
  if (my.n == 0 && blockIdx.x == 0 && threadIdx.x == 0) [[unlikely]]
    write_outcome<F, T>(a.fold, empty_state<F, T>(a.fold), 0, a.to);
  if (static_cast<int>(blockIdx.x) >= my.blocks || my.n == 0) return;

  const int at = page::place(my.strip, 0), turned = Turned ? turned_by(a.data) : 0;
  S total = empty_state<F, T>(a.fold);
#pragma unroll 1
  for (int turn = 0; turn < my.turns; ++turn) {
    const int p = turn * my.at_once + my.place;
    const int count = static_cast<int>(min(my.n - (my.first + p) * page_size, std::int64_t{page_size}));
    // Two buffers: a page's lanes are still read while the next page's are written.
    L* const lane_states =
        reinterpret_cast<L*>(memory) + ((turn & 1) * my.at_once + my.place) * page_strips * page::lanes;
    if (p < my.present) {
      typename page::states t;
      if constexpr (Turned) {
        const int left = static_cast<int>(min(my.n - (my.first + p) * page_size, std::int64_t{page_size + page::K})) -
                         my.strip * page::strip;
        const bool head = my.first + p == 0 && my.strip == 0;
        const turned_strip<F, T> strip(a.fold, a.data + (my.first + p) * page_size + my.strip * page::strip, turned);
        t = !head && left >= page::strip + page::K ? strip.whole() : strip.part(head, left);
      } else {
        const bool aligned = has_turned_strips<F, T> || my.aligned;
        const auto* data = reinterpret_cast<const storage_t<T>*>(a.data) + (my.first + p) * page_size;
        t = aligned && count >= (my.strip + 1) * page::strip ? page::whole_strip(a.fold, data + at)
                                                             : page::part_strip(a.fold, data + at, count - at, aligned);
      }
#pragma unroll
      for (int c = 0; c < page::K; ++c) lane_states[my.strip * page::lanes + lane_id() * page::K + c] = t.s[c];
    }
    __syncthreads();
    if (p >= my.present || my.strip != turn % page_strips) continue;  // the warps of a page collapse it in turns
    if (count == page_size) [[likely]]
      total = collapse<true, F, T>(a.fold, lane_states, turned);
    else
      total = collapse<false, F, T>(a.fold, lane_states, turned);
    if (my.of_block > 1 && lane_id() == 0) states[p] = total;
  }
  release_stream();
  if (my.of_block > 1) {
    __syncthreads();
    if (my.warp == 0) total = aligned_warp_tree(a.fold, states[min(lane_id(), my.present - 1)], my.present);
  }
  if (threadIdx.x == 0) publish(a, my.n, blockIdx.x, my.blocks, total);
}

/// How a launch spreads pages over blocks. The borders were measured on an H200 (docs/cuda.md).
struct strip_schedule {
  int log2 = 0, turns = 1;  ///< as in kernel_arguments
  std::int64_t blocks;      ///< that fold

  /// `most` as most_log2, `at_once` blocks on the whole device.
  strip_schedule(std::int64_t pages, int most, int processors, std::int64_t at_once) {
    // One block for 2 or 4 pages saves the gathering.
    const bool one_block = pages <= (1 << most);
    log2 = one_block                 ? (pages > 2   ? 2
                                        : pages > 1 ? 1
                                                    : 0)
           : pages <= processors     ? 0
           : pages <= 6 * processors ? 1
                                     : most;
    // Each wave of blocks costs its turns and about two more for its beginning and end.
    const auto cost = [&](int t) {
      const std::int64_t spread = (pages + (t << log2) - 1) / (t << log2);
      return (spread + at_once - 1) / at_once * (t + 2);
    };
    if (log2 == most)
      for (int t = 2; t <= 8; t *= 2)
        if (cost(t) <= cost(turns)) turns = t;
    blocks = (pages + (turns << log2) - 1) / (turns << log2);
  }
};

/// The schedule of F over n elements T, and the arguments that say so.
template <class F, class T>
strip_schedule spread_strips(std::int64_t pages, const device_launch& how, kernel_arguments<F, T>& a) {
  const strip_schedule spread(pages, most_log2<F, T>, how.processors,
                              std::int64_t{resident_blocks<F, T>} * how.processors);
  a.log2 = spread.log2;
  a.turns = spread.turns;
  return spread;
}

/// Whether an array is read in turned rows.
template <class F, class T>
bool is_turned(const device_launch& how) {
  return has_turned_strips<F, T> && reinterpret_cast<std::uintptr_t>(how.data) % 16 != 0;
}

/// Launches fold f over n elements T at how.data, in strips, or in pages where it has none.
template <class F, class T>
int launch_in_strips(const F& f, std::int64_t n, const device_launch& how) {
  if constexpr (has_strips<F, T>) {
    const std::int64_t pages = pages_of(n, sizeof(T));
    if (pages > most_pages) return cudaErrorInvalidValue;
    kernel_arguments<F, T> a = arguments_for<F, T>(f, n, how);
    const strip_schedule spread = spread_strips(pages, how, a);
    const int shared = strip_bytes<F, T> << (spread.log2 + (spread.turns > 1 ? 1 : 0));
    auto kernel = fold_strips<F, T, false, false>;
    if constexpr (!is_rare<F>)
      if (spread.blocks <= 1 && spread.log2 == 0) kernel = fold_strips<F, T, true, false>;
    if constexpr (has_turned_strips<F, T>)
      if (is_turned<F, T>(how)) kernel = fold_strips<F, T, false, true>;
    return launch(how, grid_of(spread.blocks), 128u << spread.log2, shared, kernel, a);
  } else {
    return launch_in_pages<F, T>(f, n, how);
  }
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
