// Warps by shuffles, one shared slot a warp.
//
// Better than unrolled: states go from register to register, and one barrier of the block is left. Its limit: two
// elements a thread are too few loads on their way, and too many blocks.
#pragma once

#include "rung.cuh"

namespace onefold::cuda {

/// The total of a block's threads, in thread 0.
template <class F, class T>
__device__ tree_state<F, T> shuffled_total(const level_input<F, T>& in, tree_state<F, T> s, tree_state<F, T>* shared) {
#pragma unroll
  for (int d = 16; d > 0; d /= 2) s = in.combine(s, detail::from_xor(s, d));
  if (detail::lane_id() == 0) shared[thread() / 32] = s;
  __syncthreads();
  if (thread() < 32) {
    constexpr int warps = rung_threads / 32;
    s = shared[thread() % warps];
#pragma unroll
    for (int d = warps / 2; d > 0; d /= 2) s = in.combine(s, detail::from_xor(s, d));
  }
  return s;
}

struct shuffle {
  static constexpr int elements_of_block = 2 * rung_threads;
  static constexpr bool copies = false;

  template <class F, class T>
  __device__ static tree_state<F, T> block_total(const level_input<F, T>& in, tree_state<F, T>* shared) {
    const std::int64_t i = block_first(elements_of_block) + thread();
    return shuffled_total(in, in.combine(in.at(i), in.at(i + rung_threads)), shared);
  }
};

}  // namespace onefold::cuda
