// Many elements a thread, then shuffles.
//
// Better than shuffle: a thread has eight loads on their way at once, and a block's overhead is paid for 64 elements a
// thread. Its limit: loads of one element, where a vector of 16 bytes would need a quarter of the instructions, and an
// order that is its own: canonical mends both.
#pragma once

#include "shuffle.cuh"

namespace onefold::cuda {

struct coarsened {
  static constexpr int at_once = 8, rounds = 8;
  static constexpr int elements_of_block = at_once * rounds * rung_threads;
  static constexpr bool copies = false;

  template <class F, class T>
  __device__ static tree_state<F, T> block_total(const level_input<F, T>& in, tree_state<F, T>* shared) {
    using S = tree_state<F, T>;
    std::int64_t i = block_first(elements_of_block) + thread();
    S s = in.at(in.n);  // the identity: replaced below where there are elements
    for (int round = 0; round < rounds && i - thread() < in.n; ++round, i += at_once * rung_threads) {
      S x[at_once];
#pragma unroll
      for (int k = 0; k < at_once; ++k) x[k] = in.at(i + k * rung_threads);
#pragma unroll
      for (int width = at_once / 2; width > 0; width /= 2)
#pragma unroll
        for (int k = 0; k < width; ++k) x[k] = in.combine(x[k], x[k + width]);
      s = round == 0 ? x[0] : in.combine(s, x[0]);
    }
    return shuffled_total(in, s, shared);
  }
};

}  // namespace onefold::cuda
