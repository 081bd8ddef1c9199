// What is measured beside the library on a GPU: CUB, Thrust and a kernel that only reads.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace bench {

/// CUB's reduction of n elements at data to *out, all on the device. With temporary == null sets `bytes` only.
template <class T>
void cub_sum(void* temporary, std::size_t& bytes, const T* data, T* out, std::int64_t n, cudaStream_t stream);
template <class T>
void cub_max(void* temporary, std::size_t& bytes, const T* data, T* out, std::int64_t n, cudaStream_t stream);

/// CUB's inclusive sums of n elements at data to `out`. With temporary == null sets `bytes` only.
template <class T>
void cub_cumsum(void* temporary, std::size_t& bytes, const T* data, T* out, std::int64_t n, cudaStream_t stream);

/// What CUB can be asked to guarantee of a sum's bits: the same in each run; on each GPU; nothing.
enum class guarantee { run_to_run, gpu_to_gpu, not_guaranteed };

/// As CUB spells it.
const char* name_of(guarantee wanted);

/// The guarantees that this CUB lets one choose from: none in CUDA 13.0's.
std::span<const guarantee> cub_guarantees();

/// CUB's sum with that guarantee, of those that there are.
template <class T>
void cub_sum(guarantee wanted, const T* data, T* out, std::int64_t n, cudaStream_t stream);

/// Thrust's reduction of device data to a value on the host.
template <class T>
T thrust_sum(const T* data, std::int64_t n);

/// Reads `bytes` bytes, a multiple of 16, as fast as the device can, and writes nothing.
void read_only(const void* data, std::int64_t bytes, cudaStream_t stream);

/// The version of CUB.
int cub_version();

}  // namespace bench
