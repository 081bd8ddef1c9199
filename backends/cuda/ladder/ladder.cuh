// The ladder: kernels from naive to good, each selectable, each run to completion on the device. docs/cuda.md.
//
// A rung reduces its block's elements to one state; levels follow until one block is left, which writes the outcome.
#pragma once

#include <algorithm>

#include "coarsened.cuh"
#include "first_add.cuh"
#include "global_interleaved.cuh"
#include "interleaved.cuh"
#include "onefold/detail/cuda/make_device_fold.cuh"
#include "onefold/detail/folds/extrema.hpp"
#include "onefold/detail/folds/product.hpp"
#include "onefold/detail/folds/sum.hpp"
#include "sequential_addressing.cuh"
#include "shuffle.cuh"
#include "unrolled.cuh"

namespace onefold::cuda {
namespace {

template <class Rung, class F, class T>
__global__ void __launch_bounds__(rung_threads)
    rung_kernel(const level_input<F, T> in, tree_state<F, T>* out, const std::int64_t n, const detail::destination to) {
  using S = tree_state<F, T>;
  __shared__ S shared[rung_threads];
  const S s = Rung::template block_total<F, T>(in, shared);
  if (thread() != 0) return;
  if (gridDim.x == 1)
    detail::write_outcome<F, T>(F{}, s, n, to);
  else
    out[blockIdx.x] = s;
}

/// The folds that the ladder takes: one number a state, so that a rung's arithmetic is not what is compared.
template <class F, class T>
inline constexpr bool on_ladder = false;
template <class T>
inline constexpr bool on_ladder<detail::rounded_additive<T, accuracy::native>, T> = detail::is_float<T>;
template <class T>
inline constexpr bool on_ladder<detail::sum_fold<T, accuracy::native>, T> = true;
template <class T>
inline constexpr bool on_ladder<detail::product_fold<T, accuracy::native>, T> = true;
template <class T, detail::side Side, bool NanWins>
inline constexpr bool on_ladder<detail::extreme_fold<T, Side, NanWins>, T> = true;

template <class F, class T>
struct ladder {
  using S = tree_state<F, T>;

  /// Calls f.operator()<Rung>() for a kernel of the ladder.
  template <class Function>
  static auto with(int rung, Function&& f) {
    switch (static_cast<kernel>(rung)) {
      case kernel::global_interleaved:
        return f.template operator()<global_interleaved>();
      case kernel::interleaved:
        return f.template operator()<interleaved>();
      case kernel::sequential_addressing:
        return f.template operator()<sequential_addressing>();
      case kernel::first_add:
        return f.template operator()<first_add>();
      case kernel::unrolled:
        return f.template operator()<unrolled>();
      case kernel::shuffle:
        return f.template operator()<shuffle>();
      default:
        return f.template operator()<coarsened>();
    }
  }

  template <class Rung>
  static std::int64_t blocks_of(std::int64_t n) {
    return std::max<std::int64_t>(1, (n + Rung::elements_of_block - 1) / Rung::elements_of_block);
  }

  static const char* why_not(int) {
    return on_ladder<F, T> ? nullptr
                           : "the ladder supports sums and means of floating-point numbers, products and extremes at "
                             "accuracy native, "
                             "and sums of integers";
  }

  static std::int64_t slot_bytes(std::int64_t n, int rung) {
    return with(rung, [n]<class Rung>() {
      std::int64_t states = Rung::copies ? n : 0;
      for (std::int64_t left = blocks_of<Rung>(n); left > 1; left = blocks_of<Rung>(left)) states += left;
      return states * static_cast<std::int64_t>(sizeof(S));
    });
  }

  static int launch(const device_launch& how) {
    if constexpr (on_ladder<F, T>)
      return with(how.rung, [&]<class Rung>() { return climb<Rung>(how); });
    else
      return cudaErrorInvalidValue;
  }

 private:
  template <class Rung>
  static int climb(const device_launch& how) {
    const detail::destination to = detail::destination_of(how);
    device_launch plain = how;
    plain.follows = false;  // rungs do not wait for the stream by themselves
    S* free = static_cast<S*>(how.slots);
    level_input<F, T> in{static_cast<const T*>(how.data), free, how.n};
    if (Rung::copies) free += how.n;
    while (true) {
      const std::int64_t blocks = blocks_of<Rung>(in.n);
      // Not by <<<>>>: cudaGetLastError would take an earlier error of the caller's for this launch's.
      const cudaError_t e = detail::launch(plain, static_cast<unsigned>(blocks), rung_threads, 0,
                                           rung_kernel<Rung, F, T>, in, free, how.n, to);
      if (e != cudaSuccess) return e;
      if (blocks == 1) return cudaSuccess;
      in = {nullptr, free, blocks};
      free += blocks;
    }
  }
};

}  // namespace
}  // namespace onefold::cuda
