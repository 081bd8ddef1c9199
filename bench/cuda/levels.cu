// CUB's sums with a guarantee about their bits, where the CUB that is compiled lets one ask for it (CCCL_DIR).
#include <cub/device/device_reduce.cuh>

#include "device_time.hpp"
#include "peers.hpp"

#if __has_include(<cuda/execution.determinism.h>)  // CCCL 3.5 has it, CUDA 13.0's 3.0 has not
#include <cuda/execution.determinism.h>
#include <cuda/execution.require.h>
#include <cuda/memory_resource>
#include <cuda/std/execution>
#include <cuda/stream_ref>

#include <new>

namespace bench {
/// Gives everybody the same memory, so that none is allocated while the time runs. A call's memory is that of the
/// calls before it on the same stream.
class given_memory {
 public:
  given_memory(void* data, std::size_t bytes) : data_(data), bytes_(bytes) {}
  void* allocate(cuda::stream_ref, std::size_t bytes, std::size_t = 0) { return allocate_sync(bytes); }
  void deallocate(cuda::stream_ref, void*, std::size_t, std::size_t = 0) {}
  void* allocate_sync(std::size_t bytes, std::size_t = 0) {
    if (bytes > bytes_) throw std::bad_alloc();
    return data_;
  }
  void deallocate_sync(void*, std::size_t, std::size_t = 0) {}
  bool operator==(const given_memory&) const = default;

 private:
  void* data_;
  std::size_t bytes_;
};

namespace {

template <class Level, class T>
cudaError_t sum(Level level, const T* data, T* out, std::int64_t n, cudaStream_t stream, given_memory memory) {
  return cub::DeviceReduce::Sum(
      data, out, n,
      cuda::std::execution::env{cuda::stream_ref{stream}, cuda::execution::require(level),
                                cuda::std::execution::prop{cuda::mr::get_memory_resource_t{}, memory}});
}

}  // namespace

std::span<const guarantee> cub_guarantees() {
  static constexpr guarantee all[] = {guarantee::run_to_run, guarantee::gpu_to_gpu, guarantee::not_guaranteed};
  return all;
}

template <class T>
void cub_sum(guarantee wanted, const T* data, T* out, std::int64_t n, cudaStream_t stream) {
  static const arena room(std::int64_t{16} << 20);
  const given_memory memory(const_cast<void*>(room.copy(0)), std::size_t{16} << 20);
  namespace determinism = cuda::execution::determinism;
  switch (wanted) {
    case guarantee::run_to_run:
      return check(sum(determinism::run_to_run, data, out, n, stream, memory));
    case guarantee::gpu_to_gpu:
      return check(sum(determinism::gpu_to_gpu, data, out, n, stream, memory));
    case guarantee::not_guaranteed:
      return check(sum(determinism::not_guaranteed, data, out, n, stream, memory));
  }
}

#else

namespace bench {

std::span<const guarantee> cub_guarantees() { return {}; }

template <class T>
void cub_sum(guarantee, const T*, T*, std::int64_t, cudaStream_t) {
  throw std::runtime_error("this CUB has no guarantees to choose from");
}

#endif

const char* name_of(guarantee wanted) {
  constexpr const char* names[] = {"run_to_run", "gpu_to_gpu", "not_guaranteed"};
  return names[static_cast<int>(wanted)];
}

template void cub_sum(guarantee, const float*, float*, std::int64_t, cudaStream_t);
template void cub_sum(guarantee, const double*, double*, std::int64_t, cudaStream_t);

}  // namespace bench
