// Interleaved addressing in shared memory (Harris, "Optimizing parallel reduction in CUDA", kernel 1).
//
// Better than global_interleaved: steps stay inside the multiprocessor. Its limit: the modulo test leaves ever fewer
// threads of each warp at work, and the distances make bank conflicts.
#pragma once

#include "rung.cuh"

namespace onefold::cuda {

struct interleaved {
  static constexpr int elements_of_block = rung_threads;
  static constexpr bool copies = false;

  template <class F, class T>
  __device__ static tree_state<F, T> block_total(const level_input<F, T>& in, tree_state<F, T>* shared) {
    shared[thread()] = in.at(block_first(elements_of_block) + thread());
    for (int d = 1; d < rung_threads; d *= 2) {
      __syncthreads();
      if (thread() % (2 * d) == 0) shared[thread()] = in.combine(shared[thread()], shared[thread() + d]);
    }
    return shared[thread()];
  }
};

}  // namespace onefold::cuda
