// The last warp unrolled (Harris, kernel 5, with barriers of the warp instead of `volatile`: since Volta the threads of
// a warp need not run in step).
//
// Better than first_add: six steps without a barrier of the block. Its limit: every step goes through shared memory.
#pragma once

#include "rung.cuh"

namespace onefold::cuda {

struct unrolled {
  static constexpr int elements_of_block = 2 * rung_threads;
  static constexpr bool copies = false;

  template <class F, class T>
  __device__ static tree_state<F, T> block_total(const level_input<F, T>& in, tree_state<F, T>* shared) {
    const std::int64_t i = block_first(elements_of_block) + thread();
    shared[thread()] = in.combine(in.at(i), in.at(i + rung_threads));
#pragma unroll
    for (int d = rung_threads / 2; d >= 32; d /= 2) {
      __syncthreads();
      if (thread() < d) shared[thread()] = in.combine(shared[thread()], shared[thread() + d]);
    }
    if (thread() < 32) {
#pragma unroll
      for (int d = 16; d > 0; d /= 2) {
        __syncwarp();
        if (thread() < d) shared[thread()] = in.combine(shared[thread()], shared[thread() + d]);
      }
    }
    return shared[thread()];
  }
};

}  // namespace onefold::cuda
