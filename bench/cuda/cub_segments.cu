#include "cub_segments.hpp"

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cuda/std/functional>
#include <cuda/std/utility>
#include <stdexcept>

#include "device_time.hpp"

namespace bench {
namespace {

// argmax has the index as int, whatever the offsets are.
template <class T>
using pair = cuda::std::pair<int, T>;
template <class T>
using key_value = cub::KeyValuePair<int, T>;
static_assert(sizeof(pair<float>) == sizeof(cub_position) && sizeof(key_value<float>) == sizeof(cub_position));

}  // namespace

bool cub_has_fixed_segments() { return CUB_VERSION >= 300200; }

template <class T>
void cub_fixed_segments([[maybe_unused]] segment_operation op, [[maybe_unused]] void* temporary,
                        [[maybe_unused]] std::size_t& bytes, [[maybe_unused]] const T* data, [[maybe_unused]] void* out,
                        [[maybe_unused]] std::int64_t count, [[maybe_unused]] int length,
                        [[maybe_unused]] cudaStream_t stream) {
#if CUB_VERSION >= 300200
  using cub::DeviceSegmentedReduce;
  switch (op) {
    case segment_operation::sum:
      return check(DeviceSegmentedReduce::Sum(temporary, bytes, data, static_cast<T*>(out), count, length, stream));
    case segment_operation::max:
      return check(DeviceSegmentedReduce::Max(temporary, bytes, data, static_cast<T*>(out), count, length, stream));
    case segment_operation::argmax:
      return check(
          DeviceSegmentedReduce::ArgMax(temporary, bytes, data, static_cast<pair<T>*>(out), count, length, stream));
  }
#else
  throw std::runtime_error("this CUB has no segments of a fixed size");
#endif
}

template <class T>
void cub_segments(segment_operation op, void* temporary, std::size_t& bytes, const T* data, void* out,
                  std::int64_t count, const std::int32_t* offsets, cudaStream_t stream) {
  using cub::DeviceSegmentedReduce;
  const std::int32_t* const ends = offsets + 1;
  switch (op) {
    case segment_operation::sum:
      return check(
          DeviceSegmentedReduce::Sum(temporary, bytes, data, static_cast<T*>(out), count, offsets, ends, stream));
    case segment_operation::max:
      return check(
          DeviceSegmentedReduce::Max(temporary, bytes, data, static_cast<T*>(out), count, offsets, ends, stream));
    case segment_operation::argmax:
      return check(DeviceSegmentedReduce::ArgMax(temporary, bytes, data, static_cast<key_value<T>*>(out), count,
                                                 offsets, ends, stream));
  }
}

template void cub_fixed_segments(segment_operation, void*, std::size_t&, const float*, void*, std::int64_t, int,
                                 cudaStream_t);
template void cub_fixed_segments(segment_operation, void*, std::size_t&, const double*, void*, std::int64_t, int,
                                 cudaStream_t);
template void cub_segments(segment_operation, void*, std::size_t&, const float*, void*, std::int64_t,
                           const std::int32_t*, cudaStream_t);
template void cub_segments(segment_operation, void*, std::size_t&, const double*, void*, std::int64_t,
                           const std::int32_t*, cudaStream_t);

void cub_sum_by_key(void* temporary, std::size_t& bytes, const std::int32_t* keys, const float* data,
                    std::int32_t* unique, float* sums, std::int32_t* runs, std::int32_t n, cudaStream_t stream) {
  check(
      cub::DeviceReduce::ReduceByKey(temporary, bytes, keys, unique, data, sums, runs, cuda::std::plus<>{}, n, stream));
}

}  // namespace bench
