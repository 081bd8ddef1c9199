// Schedule *pages*, for states that are too large for strips: each warp folds pages by itself, without barriers.
#pragma once

#include "onefold/detail/cuda/gather.cuh"
#include "onefold/detail/cuda/page.cuh"
#include "onefold/detail/numbers.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

inline constexpr int page_warps_log2 = 3;
inline constexpr int page_warps = 1 << page_warps_log2;  ///< warps of a block

/// Bytes of shared memory of a block whose warps fold 2^log2 pages each: the pages' states, of `state` bytes.
constexpr int page_bytes(int state, int log2) { return (page_warps << log2) * state; }

/// Blocks of a multiprocessor.
template <class F, class T>
inline constexpr int page_blocks = __is_same(lane_state<F, T>, double_double<double>) ? 1 : 2;

/// Folds `elements` in place of a.data. The warps of a block take neighboring pages by turns: memory is read in one
/// stream a block. (With runs of pages of its own each warp was one of 2112 streams, and 5 % slower.)
template <class F, class T, class Elements>
__device__ __forceinline__ void fold_pages_of(const kernel_arguments<F, T>& a, const Elements& elements, bool aligned) {
  using S = tree_state<F, T>;
  constexpr std::int64_t page_size = page_elements(sizeof(T));
  ONEFOLD_DYNAMIC_MEMORY(memory);
  S* const states = reinterpret_cast<S*>(memory);

  const int warp = static_cast<int>(threadIdx.x / 32);
  await_stream();
  const std::int64_t n = a.count();
  const std::int64_t pages = pages_of(n, sizeof(T));
  const int of_block = a.log2 + page_warps_log2;
  const std::int64_t blocks = (pages + (std::int64_t{1} << of_block) - 1) >> of_block;
  if (blocks > 1 && blockIdx.x == gridDim.x - 1)
    return gather(a, n, blocks, warp, page_warps, states, [] { __syncthreads(); });
  if (n == 0 && blockIdx.x == 0 && threadIdx.x == 0) write_outcome<F, T>(a.fold, empty_state<F, T>(a.fold), 0, a.to);
  if (blockIdx.x >= blocks) return;

  const std::int64_t first = std::int64_t{blockIdx.x} << of_block;
  const int present = static_cast<int>(min(pages - first, std::int64_t{1} << of_block));
  warp_page<F, T> page(a.fold);
#pragma unroll 1
  for (int i = warp; i < present; i += page_warps) {
    const std::int64_t at = (first + i) * page_size;
    const S s = page.fold(elements + at, static_cast<int>(min(n - at, page_size)), a.first + at, aligned);
    if (lane_id() == 0) states[i] = s;
  }
  release_stream();
  __syncthreads();
  if (warp != 0) return;
  for (int d = 1; d < present; d *= 2) {
    for (int i = lane_id() * 2 * d; i + d < present; i += 64 * d) states[i] = a.fold.combine(states[i], states[i + d]);
    __syncwarp();
  }
  if (lane_id() == 0) publish(a, n, blockIdx.x, blocks, states[0]);
}

template <class F, class T>
__global__ void __launch_bounds__(32 * page_warps, page_blocks<F, T>)
    fold_pages(const __grid_constant__ kernel_arguments<F, T> a) {
  fold_pages_of(a, a.data, reinterpret_cast<std::uintptr_t>(a.data) % 16 == 0);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
