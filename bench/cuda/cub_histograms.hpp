// CUB's histograms, which are measured beside the library's.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace bench {

/// What edges of bins are given as: u8 does not have the one above its values.
template <class T>
using cub_level = std::conditional_t<sizeof(T) == 1, int, T>;

/// CUB's counts of n elements in `bins` bins of equal widths from `low` to `high`, all on the device. With temporary ==
/// null sets `bytes` only. Throws std::runtime_error for what CUB reports.
template <class T>
void cub_histogram_even(void* temporary, std::size_t& bytes, const T* data, int* counts, int bins, cub_level<T> low,
                        cub_level<T> high, std::int64_t n, cudaStream_t stream);

/// The same of bins between bins + 1 edges in device memory.
template <class T>
void cub_histogram_range(void* temporary, std::size_t& bytes, const T* data, int* counts, int bins,
                         const cub_level<T>* edges, std::int64_t n, cudaStream_t stream);

}  // namespace bench
