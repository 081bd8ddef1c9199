// What the kernels of the ladder have in common: their input, and the size of a block. A rung has
//
//   S block_total(input, shared)   the state of the block's elements, in thread 0; shared: room for a state a thread
#pragma once

#include "onefold/detail/cuda/arrays.cuh"

namespace onefold::cuda {

using detail::identity_of;
using detail::lane_value;
using detail::lift_at;
using detail::to_tree;
using detail::tree_state;

inline constexpr int rung_threads = 256;  ///< of a block

/// The elements of the first level, or the states that the level below has left.
template <class F, class T>
struct level_input {
  using S = tree_state<F, T>;
  const T* elements;  ///< null above the first level
  S* states;          ///< of the level below; for global_interleaved room for a state an element
  std::int64_t n;

  /// The state at i; the identity beyond the end.
  __device__ S at(std::int64_t i) const {
    const F f{};
    if (i >= n) return to_tree<F, T>(f, identity_of<F, lane_value<F, T>>(f));
    return elements ? lifted(elements[i]) : states[i];
  }
  __device__ static S lifted(T x) {
    const F f{};
    return to_tree<F, T>(f, f.lift(detail::widen<lane_value<F, T>, T>(__builtin_bit_cast(detail::storage_t<T>, x))));
  }
  __device__ static S combine(S a, S b) { return F{}.combine(a, b); }
};

/// This thread's place in its block, and the place of the block's first element.
__device__ inline int thread() { return static_cast<int>(threadIdx.x); }
__device__ inline std::int64_t block_first(int elements_of_block) {
  return std::int64_t{blockIdx.x} * elements_of_block;
}

}  // namespace onefold::cuda
