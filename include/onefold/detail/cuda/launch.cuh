// Launches in a stream, which may begin while the launch before them ends.
#pragma once

#include <cuda_runtime.h>

#include "onefold/detail/level.hpp"
#include "onefold/device.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The next launch may begin now, and wait in await_stream.
__device__ inline void release_stream() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/// Waits for the work before this launch in the stream: every thread calls it before it touches global memory. One
/// block releases the stream at once; of many, those that begin early would crowd the first multiprocessors that are
/// free.
__device__ inline void await_stream() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
  if (gridDim.x == 1) release_stream();
}

/// Whether a kernel's code for the current device is of compute capability 9.0 or above, which waits by itself.
inline bool awaits_stream(const void* kernel) {
  cudaFuncAttributes code{};
  if (cudaFuncGetAttributes(&code, kernel) == cudaSuccess) return code.ptxVersion >= 90;
  static_cast<void>(cudaGetLastError());
  return false;
}

/// Launches a kernel that calls await_stream first. Shared memory is dynamic, in bytes.
template <class... Parameters, class... Arguments>
cudaError_t launch(const device_launch& how, unsigned blocks, unsigned threads, int shared,
                   void (*kernel)(Parameters...), const Arguments&... arguments) {
  const void* const code = reinterpret_cast<const void*>(kernel);
  if (shared >= 32 << 10) {  // without asking a block has 48 KiB, what it has by itself among them
    const cudaError_t e = cudaFuncSetAttribute(code, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
    if (e != cudaSuccess) return e;
  }
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.stream = how.stream;
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = static_cast<std::size_t>(shared);
  config.attrs = &early;
  config.numAttrs = how.follows && awaits_stream(code) ? 1 : 0;
  return cudaLaunchKernelEx(&config, kernel, arguments...);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
