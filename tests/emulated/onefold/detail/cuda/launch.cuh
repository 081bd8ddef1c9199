// Stands in for the library's: a launch runs the kernel, and returns when it has ended.
#pragma once

#include "emulation.hpp"
#include "onefold/detail/level.hpp"
#include "onefold/device.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

inline void release_stream() {}
inline void await_stream() {}

template <class... Parameters, class... Arguments>
cudaError_t launch(const device_launch&, unsigned blocks, unsigned threads, int shared, void (*kernel)(Parameters...),
                   const Arguments&... arguments) {
  if (shared > static_cast<int>(emulation::shared_bytes)) return cudaErrorInvalidValue;
  emulation::run(blocks, threads, [&] { kernel(arguments...); });
  return cudaSuccess;
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
