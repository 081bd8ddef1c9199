// How many are before each of many numbers' owners: exclusive sums, by a block.
#pragma once

#include <cstdint>

#include "onefold/detail/cuda/warp_lanes.cuh"

namespace onefold::cuda {
namespace {

/// This thread's number among those of a warp, added up with those of the threads below it.
template <class N>
__device__ N sum_below(N mine) {
  N sum = mine;
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const N below = __shfl_up_sync(detail::whole_warp, sum, d);
    if (detail::lane_id() >= d) sum += below;
  }
  return sum - mine;
}

/// Replaces `count` numbers by what is before each, and returns their total. By one block of 1024 threads.
__device__ inline std::int64_t add_up_block(std::int64_t* numbers, std::int64_t count) {
  __shared__ std::int64_t of_warp[32];
  const int warp = static_cast<int>(threadIdx.x / 32);
  std::int64_t carried = 0;
#pragma unroll 1
  for (std::int64_t first = 0; first < count; first += 1024) {
    const std::int64_t i = first + threadIdx.x, mine = i < count ? numbers[i] : 0;
    const std::int64_t below = sum_below(mine);
    if (detail::lane_id() == 31) of_warp[warp] = below + mine;
    __syncthreads();
    const std::int64_t warps_below = sum_below(of_warp[detail::lane_id()]);
    const std::int64_t of_block = __shfl_sync(detail::whole_warp, warps_below + of_warp[detail::lane_id()], 31);
    const std::int64_t of_warps_below = __shfl_sync(detail::whole_warp, warps_below, warp);
    if (i < count) numbers[i] = carried + of_warps_below + below;
    carried += of_block;
    __syncthreads();
  }
  return carried;
}

}  // namespace
}  // namespace onefold::cuda
