// The kernel that hands results of row operations to a function, neighbors by neighboring threads.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "onefold/detail/cuda/launch.cuh"
#include "onefold/detail/cuda/map.cuh"
#include "onefold/detail/cuda/stream.cuh"
#include "onefold/row_problem.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Threads of a block, and results of a thread, as long as there are few.
inline constexpr std::int64_t store_threads = 256, stored_by_thread = 4;

template <class T, class Store>
__global__ void __launch_bounds__(store_threads) hand_over(const T* results, const Store store, std::int64_t first,
                                                           std::int64_t lines, std::int64_t n, bool in_columns) {
  await_stream();
  const std::int64_t count = lines * n, neighbors = in_columns ? lines : n;
#pragma unroll 1
  for (std::int64_t i = std::int64_t{blockIdx.x} * store_threads + threadIdx.x; i < count;
       i += std::int64_t{gridDim.x} * store_threads) {
    const std::int64_t far = divided(i, neighbors), near = i - far * neighbors;
    store(T(results[i]), in_columns ? row_position{first + near, far} : row_position{first + far, near});
  }
}

/// device_store::launch of a function object that takes Ts.
template <class T, class Store>
int launch_store(const store_launch& how) {
  device_launch on{};
  on.stream = how.stream;
  on.follows = how.follows;
  constexpr std::int64_t of_block = store_threads * stored_by_thread, most_blocks = 1 << 20;
  const auto blocks = static_cast<unsigned>(std::min((how.lines * how.n - 1) / of_block + 1, most_blocks));
  return launch(on, blocks, store_threads, 0, hand_over<T, Store>, static_cast<const T*>(how.results),
                *static_cast<const Store*>(how.function), how.first, how.lines, how.n, how.in_columns);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
