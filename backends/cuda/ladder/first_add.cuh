// The first combination while loading (Harris, kernel 4).
//
// Better than sequential_addressing: each thread takes two elements, so that none is idle from the start and there are
// half as many blocks. Its limit: the barriers of the last steps, where one warp works.
#pragma once

#include "rung.cuh"

namespace onefold::cuda {

struct first_add {
  static constexpr int elements_of_block = 2 * rung_threads;
  static constexpr bool copies = false;

  template <class F, class T>
  __device__ static tree_state<F, T> block_total(const level_input<F, T>& in, tree_state<F, T>* shared) {
    const std::int64_t i = block_first(elements_of_block) + thread();
    shared[thread()] = in.combine(in.at(i), in.at(i + rung_threads));
    for (int d = rung_threads / 2; d > 0; d /= 2) {
      __syncthreads();
      if (thread() < d) shared[thread()] = in.combine(shared[thread()], shared[thread() + d]);
    }
    return shared[thread()];
  }
};

}  // namespace onefold::cuda
