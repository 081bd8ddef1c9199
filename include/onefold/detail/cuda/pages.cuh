// Schedule *pages*, for states that are too large for strips: each warp folds pages by itself, without barriers.
#pragma once

#include "onefold/detail/cuda/gather.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

inline constexpr int page_warps_log2 = 3;
inline constexpr int page_warps = 1 << page_warps_log2;  ///< warps of a block

template <class F, class T>
__global__ void __launch_bounds__(32 * page_warps, __is_same(lane_state<F, T>, double_double<double>) ? 1 : 2)
    fold_pages(const __grid_constant__ kernel_arguments<F, T> a) {
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

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
