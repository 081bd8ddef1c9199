// Clusters: blocks that run at the same time and read each other's shared memory (compute capability 9.0).
#pragma once

#include "onefold/detail/cuda/launch.cuh"
#include "onefold/detail/cuda/ptx.cuh"
#include "onefold/detail/cuda/words.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The most blocks of a cluster that every device with clusters allows.
inline constexpr int most_blocks_of_cluster = 8;

/// Waits for all threads of the cluster, and for what they wrote to shared memory.
__device__ __forceinline__ void meet_cluster() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
}

/// The state in the shared memory of a block of the cluster, where `own` is in this block's.
template <class S>
__device__ __forceinline__ S from_block([[maybe_unused]] const S* own, [[maybe_unused]] int block) {
  words<S> r{};
#if __CUDA_ARCH__ >= 900
  std::uint32_t there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared_place(own)), "r"(block));
#pragma unroll(words <S>::unrolled)
  for (int i = 0; i < words<S>::count; ++i)
    asm volatile("ld.shared::cluster.u32 %0, [%1];"
                 : "=r"(r.w[i])
                 : "r"(there + 4u * static_cast<unsigned>(i))
                 : "memory");
#endif
  return r.state();
}

/// As launch, in `clusters` clusters of `size` blocks, or with `at_once` in no more than run at a time. Returns false
/// where the current device has no such clusters, or the kernel's code is of a compute capability below 9.0.
template <class... Parameters, class... Arguments>
bool launch_in_clusters(const device_launch& how, unsigned clusters, unsigned size, unsigned threads, int shared,
                        bool at_once, cudaError_t* result, void (*kernel)(Parameters...),
                        const Arguments&... arguments) {
  const void* const code = reinterpret_cast<const void*>(kernel);
  if (!awaits_stream(code)) return false;
  *result = cudaFuncSetAttribute(code, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
  if (*result != cudaSuccess) return true;
  cudaLaunchAttribute attributes[2]{};
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim = {size, 1, 1};
  attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[1].val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.stream = how.stream;
  config.gridDim = dim3(clusters * size);
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = static_cast<std::size_t>(shared);
  config.attrs = attributes;
  config.numAttrs = how.follows ? 2 : 1;
  int fit = 0;
  if (cudaOccupancyMaxActiveClusters(&fit, kernel, &config) != cudaSuccess) static_cast<void>(cudaGetLastError());
  if (fit < 1) return false;
  if (at_once && static_cast<unsigned>(fit) < clusters) config.gridDim = dim3(static_cast<unsigned>(fit) * size);
  *result = cudaLaunchKernelEx(&config, kernel, arguments...);
  return true;
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
