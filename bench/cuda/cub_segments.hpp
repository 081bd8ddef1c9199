// CUB's reductions of segments and by key, which are measured beside the library's shapes.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace bench {

/// What segments are reduced with.
enum class segment_operation { sum, max, argmax };

/// CUB's result of argmax: the index within the segment, and the element there.
struct cub_position {
  std::int32_t index;
  float value;
};

/// Whether this CUB reduces segments of one fixed size without offsets: from 3.2 on.
bool cub_has_fixed_segments();

/// CUB's reduction of `count` segments of `length` elements each to out[0 .. count), all on the device; argmax leaves
/// a cub_position each. With temporary == null sets `bytes` only. Throws std::runtime_error for what CUB reports, and
/// without cub_has_fixed_segments().
template <class T>
void cub_fixed_segments(segment_operation op, void* temporary, std::size_t& bytes, const T* data, void* out,
                        std::int64_t count, int length, cudaStream_t stream);

/// The same of segments from each of the count + 1 offsets to the next.
template <class T>
void cub_segments(segment_operation op, void* temporary, std::size_t& bytes, const T* data, void* out,
                  std::int64_t count, const std::int32_t* offsets, cudaStream_t stream);

/// CUB's sums of runs of equal keys, all on the device: each run's key, its sum, and how many runs there are. With
/// temporary == null sets `bytes` only.
void cub_sum_by_key(void* temporary, std::size_t& bytes, const std::int32_t* keys, const float* data,
                    std::int32_t* unique, float* sums, std::int32_t* runs, std::int32_t n, cudaStream_t stream);

}  // namespace bench
