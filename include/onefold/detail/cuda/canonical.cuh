// The canonical kernel: the order of docs/order.md, one launch, the same bits as the CPU.
//
// Blocks fold aligned runs of pages and leave one state each as flagged words in a slot. One more block, the last,
// gathers: it polls the slots while the others work, walks the aligned tree over them, and writes the outcome. Blocks
// start in the order of their numbers, so that all others are running or done when it waits.
//
// Two schedules. *Strips*, for up to some pages a multiprocessor, where latency counts: four warps share a page, each
// loads one strip at once, and the lanes meet in shared memory; beyond, a block does so several times. *Pages*, for
// folds whose states are too large for that: each warp folds pages by itself, without barriers.
#pragma once

#include "onefold/detail/cuda/gather.cuh"
#include "onefold/options.hpp"

#include <algorithm>

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

// ---- schedule: strips --------------------------------------------------------------------------------------

/// Bytes of shared memory of a page in the schedule of strips; that of folds for which it would be too much is `pages`.
template <class F, class T>
inline constexpr int strip_bytes = 0;
template <class F, class T>
requires(is_commutative<F>&& folds_packs<F, lane_value<F, T>>&& warp_lanes<F, T>::groups ==
         1) inline constexpr int strip_bytes<F, T> = page_strips * lanes_of(sizeof(T)) *
                                                     static_cast<int>(sizeof(lane_state<F, T>));
template <class F, class T>
inline constexpr bool has_strips = strip_bytes<F, T> > 0 && strip_bytes<F, T> <= 8192 &&  // 64 KiB in two buffers
                                   !__is_same(lane_state<F, T>, double_double<double>);   // too many operations

/// Comparisons of floating-point numbers with their rules for NaN take more registers than sums.
template <class F>
inline constexpr bool compares = false;
template <class T, side Side, bool NanWins>
inline constexpr bool compares<extreme_fold<T, Side, NanWins>> = is_float<T>;

/// The most pages that a block folds at once, as log2: light states leave the registers for two blocks of 16 warps.
template <class F, class T>
inline constexpr int most_log2 = 1;
template <class F, class T>
requires has_strips<F, T>
inline constexpr int most_log2<F, T> = warp_lanes<F, T>::K * sizeof(lane_state<F, T>) <= 16 && !compares<F> ? 2 : 1;

template <class F, class T>
__global__ void __launch_bounds__(128 << most_log2<F, T>, 2)
    fold_strips(const __grid_constant__ kernel_arguments<F, T> a) {
  using page = warp_lanes<F, T>;
  using L = lane_state<F, T>;
  using S = tree_state<F, T>;
  constexpr int lanes = page::lanes, K = page::K;
  constexpr std::int64_t page_size = page_elements(sizeof(T));
  extern __shared__ uint4 memory[];
  __shared__ alignas(S) unsigned char state_memory[32 * sizeof(S)];
  S* const states = reinterpret_cast<S*>(state_memory);

  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int at_once = 1 << a.log2, of_block = at_once * a.turns;
  const std::int64_t n = a.count();
  const std::int64_t pages = pages_of(n, sizeof(T));
  const int blocks = static_cast<int>((pages + of_block - 1) >> (a.log2 + __ffs(a.turns) - 1));
  if (blocks > 1 && blockIdx.x == gridDim.x - 1)
    return gather(a, n, blocks, warp, 4 * at_once, states, [] { __syncthreads(); });
  if (n == 0 && blockIdx.x == 0 && threadIdx.x == 0) write_outcome<F, T>(a.fold, empty_state<F, T>(a.fold), 0, a.place);
  if (static_cast<int>(blockIdx.x) >= blocks) return;

  const int place = warp / page_strips, strip = warp % page_strips;
  const std::int64_t first = std::int64_t{blockIdx.x} * of_block;
  const int present = static_cast<int>(min(pages - first, std::int64_t{of_block}));  // pages of this block
  const bool aligned = reinterpret_cast<std::uintptr_t>(a.data) % (K * sizeof(T)) == 0;
  const int at = page::place(strip, 0);
  S total = empty_state<F, T>(a.fold);
#pragma unroll 1
  for (int turn = 0; turn < a.turns; ++turn) {
    const int p = turn * at_once + place;
    // Two buffers: a page's lanes are still read while the next page's are written.
    L* const lane_states = reinterpret_cast<L*>(memory) + ((turn & 1) * at_once + place) * page_strips * lanes;
    if (p < present) {
      const auto* data = reinterpret_cast<const storage_t<T>*>(a.data) + (first + p) * page_size;
      const int count = static_cast<int>(min(n - (first + p) * page_size, page_size));
      const auto t = aligned && count == page_size ? page::whole_strip(a.fold, data + at)
                                                   : page::part_strip(a.fold, data + at, count - at, aligned);
#pragma unroll
      for (int c = 0; c < K; ++c) lane_states[strip * lanes + lane_id() * K + c] = t.s[c];
    }
    __syncthreads();
    if (p >= present || strip != turn % page_strips) continue;  // the warps of a page collapse it in turns
    L t[K];
#pragma unroll
    for (int i = 0; i < K; ++i) {
      const L* q = lane_states + lane_id() + 32 * i;
      t[i] = a.fold.combine(a.fold.combine(q[0], q[lanes]), a.fold.combine(q[2 * lanes], q[3 * lanes]));
    }
#pragma unroll
    for (int half = K / 2; half > 0; half /= 2)
#pragma unroll
      for (int i = 0; i < half; ++i) t[i] = a.fold.combine(t[i], t[i + half]);
    L s = t[0];
#pragma unroll
    for (int w = 16; w > 0; w /= 2) s = page::ordered(a.fold, s, from_xor(s, w), w);
    total = to_tree<F, T>(a.fold, s);
    if (of_block > 1 && lane_id() == 0) states[p] = total;
  }
  if (of_block > 1) {
    __syncthreads();
    if (warp == 0) total = aligned_warp_tree(a.fold, states[min(lane_id(), present - 1)], present);
  }
  if (threadIdx.x == 0) leave(a, n, blockIdx.x, blocks, total);
}

// ---- schedule: pages ---------------------------------------------------------------------------------------

inline constexpr int page_warps_log2 = 3;
inline constexpr int page_warps = 1 << page_warps_log2;  ///< warps of a block

template <class F, class T>
__global__ void __launch_bounds__(32 * page_warps, 2) fold_pages(const __grid_constant__ kernel_arguments<F, T> a) {
  using S = tree_state<F, T>;
  constexpr std::int64_t page_size = page_elements(sizeof(T));
  __shared__ alignas(S) unsigned char state_memory[page_warps * sizeof(S)];
  S* const states = reinterpret_cast<S*>(state_memory);

  const int warp = static_cast<int>(threadIdx.x) / 32;
  const std::int64_t n = a.count();
  const std::int64_t pages = pages_of(n, sizeof(T));
  const int of_block = a.log2 + page_warps_log2;
  const std::int64_t blocks = (pages + (std::int64_t{1} << of_block) - 1) >> of_block;
  if (blocks > 1 && blockIdx.x == gridDim.x - 1)
    return gather(a, n, blocks, warp, page_warps, states, [] { __syncthreads(); });
  if (n == 0 && blockIdx.x == 0 && threadIdx.x == 0) write_outcome<F, T>(a.fold, empty_state<F, T>(a.fold), 0, a.place);
  if (blockIdx.x >= blocks) return;

  const std::int64_t first = (std::int64_t{blockIdx.x} << of_block) + (warp << a.log2);
  const int mine = static_cast<int>(min(pages - first, std::int64_t{1} << a.log2));  // may be negative
  const bool aligned = reinterpret_cast<std::uintptr_t>(a.data) % 16 == 0;
  if (mine > 0) {
    warp_page<F, T> page(a.fold);
    words<S> kept;
#pragma unroll 1
    for (int i = 0; i < mine; ++i) {
      const std::int64_t at = (first + i) * page_size;
      const S s = page.fold(a.data + at, static_cast<int>(min(n - at, page_size)), a.first + at, aligned);
      const words<S> total = from_first<S>(words<S>::of(s));
      if (i == 0 || lane_id() == i) kept = total;  // thread i keeps the state of page i
    }
    const S s = aligned_warp_tree(a.fold, kept.state(), mine);
    if (lane_id() == 0) states[warp] = s;
  }
  __syncthreads();
  if (warp != 0) return;
  const std::int64_t left = pages - (std::int64_t{blockIdx.x} << of_block);
  const int present = static_cast<int>(min((left + (1 << a.log2) - 1) >> a.log2, std::int64_t{page_warps}));
  const S total = aligned_warp_tree(a.fold, states[min(lane_id(), present - 1)], present);
  if (lane_id() == 0) leave(a, n, blockIdx.x, blocks, total);
}

// ---- choosing the schedule ---------------------------------------------------------------------------------

/// How a launch spreads pages over blocks. The borders were measured on an H200 (docs/cuda.md).
struct schedule {
  bool strips;
  int log2 = 0, turns = 1;  ///< as in kernel_arguments
  std::int64_t blocks;      ///< that fold

  schedule(std::int64_t pages, bool can_strips, int most, int processors) : strips(can_strips) {
    if (strips) {
      // One block for 2 or 4 pages saves the gathering; from two waves on, blocks take several turns.
      const bool one_block = pages <= (1 << most);
      log2 = one_block                 ? (pages > 2   ? 2
                                          : pages > 1 ? 1
                                                      : 0)
             : pages <= processors     ? 0
             : pages <= 6 * processors ? 1
                                       : most;
      while (turns < 8 && (pages >> log2) > std::int64_t{most == 1 ? 2 : 24} * processors * turns) turns *= 2;
      blocks = (pages + (turns << log2) - 1) / (turns << log2);
    } else {
      log2 = pages > 64 * processors ? 3 : pages > 16 * processors ? 1 : 0;
      while (log2 < 5 && (pages >> (log2 + page_warps_log2)) > (1 << 13)) ++log2;
      blocks = (pages + (page_warps << log2) - 1) / (page_warps << log2);
    }
  }
  unsigned grid() const { return static_cast<unsigned>(blocks <= 1 ? 1 : blocks + 1); }
};

/// The most pages of a launch: 1 TiB of data, more than a device has.
inline constexpr std::int64_t most_pages = 1 << 26;

template <class F, class T>
std::int64_t canonical_slot_bytes(std::int64_t n) {
  // At most a slot a page, for as many pages as a few thousand multiprocessors take; beyond, one for 32 pages.
  const std::int64_t pages = std::min(pages_of(n, sizeof(T)), most_pages);
  return (std::max(std::min<std::int64_t>(pages, 1 << 17), pages / 32) + 1) * flagged_bytes<tree_state<F, T>>;
}

/// The object behind device_launch::op.
template <class F>
F fold_object(const void* op) {
  if (op) return *static_cast<const F*>(op);
  if constexpr (std::is_default_constructible_v<F>) return F{};
  __builtin_unreachable();
}

/// Launches fold f over n elements T at how.data.
template <class F, class T>
int launch_spread(const F& f, std::int64_t n, const device_launch& how) {
  if (pages_of(n, sizeof(T)) > most_pages) return cudaErrorInvalidValue;
  const schedule spread(pages_of(n, sizeof(T)), has_strips<F, T>, most_log2<F, T>, how.processors);
  const kernel_arguments<F, T> a{f,
                                 static_cast<const T*>(how.data),
                                 n,
                                 how.device_n,
                                 how.first,
                                 static_cast<std::uint64_t*>(how.slots),
                                 spread.log2,
                                 spread.turns,
                                 place_of(how)};
  cudaLaunchConfig_t config{};
  config.stream = how.stream;
  config.gridDim = dim3(spread.grid());
  if constexpr (has_strips<F, T>) {
    config.blockDim = dim3(128u << spread.log2);
    config.dynamicSmemBytes = static_cast<std::size_t>(strip_bytes<F, T>) << (spread.log2 + (spread.turns > 1 ? 1 : 0));
    if (config.dynamicSmemBytes > 32 << 10) {  // without asking a block has 48 KiB, its states among them
      const cudaError_t e = cudaFuncSetAttribute(fold_strips<F, T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                 static_cast<int>(config.dynamicSmemBytes));
      if (e != cudaSuccess) return e;
    }
    return cudaLaunchKernelEx(&config, fold_strips<F, T>, a);
  } else {
    config.blockDim = dim3(32 * page_warps);
    return cudaLaunchKernelEx(&config, fold_pages<F, T>, a);
  }
}

template <class F, class T>
int launch_canonical(const device_launch& how) {
  if constexpr (__is_same(F, sum_fold<T, accuracy::native>) && sizeof(T) == 1) {
    const bool aligned = reinterpret_cast<std::uintptr_t>(how.data) % 16 == 0;
    if (aligned && how.n >= 4 && !how.device_n) {
      const auto count = static_cast<int>(how.n % 4);
      return launch_spread<sum_of_words<T>, std::int32_t>({static_cast<const T*>(how.data) + how.n - count, count},
                                                          how.n / 4, how);
    }
  }
  return launch_spread<F, T>(fold_object<F>(how.op), how.n, how);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
