// Shared memory, sequential addressing (Harris, kernel 3).
//
// Better than interleaved: the threads at work are neighbors, and so are their addresses: whole warps retire, and no
// bank is asked twice. Its limit: half of the threads only load.
#pragma once

#include "rung.cuh"

namespace onefold::cuda {

struct sequential_addressing {
  static constexpr int elements_of_block = rung_threads;
  static constexpr bool copies = false;

  template <class F, class T>
  __device__ static tree_state<F, T> block_total(const level_input<F, T>& in, tree_state<F, T>* shared) {
    shared[thread()] = in.at(block_first(elements_of_block) + thread());
    for (int d = rung_threads / 2; d > 0; d /= 2) {
      __syncthreads();
      if (thread() < d) shared[thread()] = in.combine(shared[thread()], shared[thread() + d]);
    }
    return shared[thread()];
  }
};

}  // namespace onefold::cuda
