// What a kernel does that may begin while the launch before it in the stream ends.
#pragma once

#include "onefold/detail/level.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The next launch may begin now, and wait in await_stream.
__device__ inline void release_stream() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/// Waits for the work before this launch in the stream: every thread calls it before it touches what that may still
/// write. One block releases the stream at once; of many, those that begin early would crowd the first multiprocessors
/// that are free.
__device__ inline void await_stream() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
  if (gridDim.x == 1) release_stream();
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
