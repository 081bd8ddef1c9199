#include "peers.hpp"

#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

namespace bench {

template <class T>
void cub_sum(void* temporary, std::size_t& bytes, const T* data, T* out, std::int64_t n, cudaStream_t stream) {
  cub::DeviceReduce::Sum(temporary, bytes, data, out, n, stream);
}
template <class T>
void cub_max(void* temporary, std::size_t& bytes, const T* data, T* out, std::int64_t n, cudaStream_t stream) {
  cub::DeviceReduce::Max(temporary, bytes, data, out, n, stream);
}
template void cub_sum(void*, std::size_t&, const float*, float*, std::int64_t, cudaStream_t);
template void cub_sum(void*, std::size_t&, const double*, double*, std::int64_t, cudaStream_t);
template void cub_sum(void*, std::size_t&, const std::int32_t*, std::int32_t*, std::int64_t, cudaStream_t);
template void cub_max(void*, std::size_t&, const float*, float*, std::int64_t, cudaStream_t);
template void cub_max(void*, std::size_t&, const double*, double*, std::int64_t, cudaStream_t);
template void cub_max(void*, std::size_t&, const std::int32_t*, std::int32_t*, std::int64_t, cudaStream_t);

template <class T>
void cub_cumsum(void* temporary, std::size_t& bytes, const T* data, T* out, std::int64_t n, cudaStream_t stream) {
  cub::DeviceScan::InclusiveSum(temporary, bytes, data, out, n, stream);
}
template void cub_cumsum(void*, std::size_t&, const float*, float*, std::int64_t, cudaStream_t);
template void cub_cumsum(void*, std::size_t&, const double*, double*, std::int64_t, cudaStream_t);

template <class T>
T thrust_sum(const T* data, std::int64_t n) {
  return thrust::reduce(thrust::device, data, data + n);
}
template float thrust_sum(const float*, std::int64_t);
template double thrust_sum(const double*, std::int64_t);

namespace {

constexpr int threads = 512, loads = 4;

__global__ void __launch_bounds__(threads) read_kernel(const uint4* p, std::int64_t count) {
  std::int64_t i = std::int64_t{blockIdx.x} * threads * loads + threadIdx.x;
  uint4 x[loads] = {};
#pragma unroll
  for (int k = 0; k < loads; ++k)
    if (i + k * threads < count) x[k] = __ldcs(p + i + k * threads);
  unsigned all = 0;
#pragma unroll
  for (int k = 0; k < loads; ++k) all |= x[k].x ^ x[k].y ^ x[k].z ^ x[k].w;
  if (all == 0x9e3779b9u) __trap();  // so that the loads are needed
}

}  // namespace

void read_only(const void* data, std::int64_t bytes, cudaStream_t stream) {
  const std::int64_t count = bytes / 16, blocks = (count + threads * loads - 1) / (threads * loads);
  read_kernel<<<static_cast<unsigned>(blocks), threads, 0, stream>>>(static_cast<const uint4*>(data), count);
}

int cub_version() { return CUB_VERSION; }

}  // namespace bench
