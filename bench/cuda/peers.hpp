// What is measured beside the library on a GPU: CUB, Thrust and a kernel that only reads.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace bench {

/// CUB's reduction of n elements at data to *out, all on the device. With temporary == null sets `bytes` only.
template <class T>
void cub_sum(void* temporary, std::size_t& bytes, const T* data, T* out, std::int64_t n, cudaStream_t stream);
template <class T>
void cub_max(void* temporary, std::size_t& bytes, const T* data, T* out, std::int64_t n, cudaStream_t stream);

/// Thrust's reduction of device data to a value on the host.
float thrust_sum(const float* data, std::int64_t n);

/// Reads `bytes` bytes, a multiple of 16, as fast as the device can, and writes nothing.
void read_only(const void* data, std::int64_t bytes, cudaStream_t stream);

/// The version of CUB.
int cub_version();

}  // namespace bench
