// Launches in a stream, which may begin while the launch before them ends.
#pragma once

#include <cuda_runtime.h>

#include "onefold/detail/level.hpp"
#include "onefold/device.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Whether a kernel's code for the current device is of compute capability 9.0 or above, which waits by itself.
inline bool awaits_stream(const void* kernel) {
  cudaFuncAttributes code{};
  if (cudaFuncGetAttributes(&code, kernel) == cudaSuccess) return code.ptxVersion >= 90;
  static_cast<void>(cudaGetLastError());
  return false;
}

/// A kernel as launch_code takes it.
template <class... Parameters>
const void* code_of(void (*kernel)(Parameters...)) {
  return reinterpret_cast<const void*>(kernel);
}

/// Launches a kernel with parameters of these types, which calls await_stream where it may follow. Shared memory is
/// dynamic, in bytes.
template <class... Parameters>
cudaError_t launch_code(const device_launch& how, unsigned blocks, unsigned threads, int shared, const void* kernel,
                        const Parameters&... arguments) {
  if (shared >= 32 << 10) {  // without asking a block has 48 KiB, what it has by itself among them
    const cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
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
  config.numAttrs = how.follows && awaits_stream(kernel) ? 1 : 0;
  void* places[] = {const_cast<void*>(static_cast<const void*>(&arguments))...};
  return cudaLaunchKernelExC(&config, kernel, places);
}

/// The same, where the kernel's type is known: the arguments are converted to its parameters.
template <class... Parameters, class... Arguments>
cudaError_t launch(const device_launch& how, unsigned blocks, unsigned threads, int shared,
                   void (*kernel)(Parameters...), const Arguments&... arguments) {
  return launch_code<Parameters...>(how, blocks, threads, shared, code_of(kernel), arguments...);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
