// Schedule *scattered*, for whatever has no other: a warp folds a page of an output, each thread from where its
// elements lie.
#pragma once

#include "onefold/detail/cuda/outputs.cuh"
#include "onefold/detail/cuda/page.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The elements of a page of an output, by number, wherever they lie.
template <class T>
struct scattered_elements {
  const T* data;
  const device_axes& axes;
  std::int64_t first;
  __device__ const T& operator[](int i) const { return data[axes.offset(first + i)]; }
};

template <class F, class T>
__global__ void __launch_bounds__(256) fold_scattered(const __grid_constant__ outputs_arguments<F, T> a) {
  await_stream();
  const std::int64_t step = std::int64_t{gridDim.x} * (blockDim.x / 32), all = a.outputs * a.pages;
  warp_page<F, T> page(a.fold);
  for (std::int64_t i = (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32; i < all; i += step) {
    const std::int64_t output = i / a.pages, number = i - output * a.pages, index = number * page_elements(sizeof(T));
    const scattered_elements<T> x{a.data + a.kept.offset(output), a.reduced, index};
    const tree_state<F, T> s = page.fold(x, a.count(number), index, false);
    if (lane_id() == 0) a.leave(output, number, s);
  }
  release_stream();
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
