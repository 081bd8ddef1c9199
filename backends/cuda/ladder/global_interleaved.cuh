// Interleaved addressing in global memory: the naive start of the ladder.
//
// Each block combines neighbors at distance 1, 2, 4, ... on a copy of its elements in global memory. Its limit: every
// step goes through the memory system again, and a copy of all elements must be written first.
#pragma once

#include "rung.cuh"

namespace onefold::cuda {

struct global_interleaved {
  static constexpr int elements_of_block = rung_threads;
  static constexpr bool copies = true;  ///< needs room for a state an element

  template <class F, class T>
  __device__ static tree_state<F, T> block_total(const level_input<F, T>& in, tree_state<F, T>*) {
    tree_state<F, T>* const copy = in.states + block_first(elements_of_block);
    const std::int64_t left = in.n - block_first(elements_of_block);
    if (in.elements && thread() < left) copy[thread()] = in.at(block_first(elements_of_block) + thread());
    for (int d = 1; d < rung_threads; d *= 2) {
      __syncthreads();
      if (thread() % (2 * d) == 0 && thread() + d < left)
        copy[thread()] = in.combine(copy[thread()], copy[thread() + d]);
    }
    return thread() == 0 && left > 0 ? copy[0] : in.at(in.n);
  }
};

}  // namespace onefold::cuda
