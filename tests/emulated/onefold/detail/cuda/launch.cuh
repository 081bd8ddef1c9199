// Stands in for the library's: a launch runs the kernel, and returns when it has ended.
#pragma once

#include "emulation.hpp"
#include "onefold/detail/level.hpp"
#include "onefold/device.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

template <class... Parameters>
const void* code_of(void (*kernel)(Parameters...)) {
  return reinterpret_cast<const void*>(kernel);
}

template <class... Parameters>
cudaError_t launch_code(const device_launch&, unsigned blocks, unsigned threads, int shared, const void* code,
                        const Parameters&... arguments) {
  if (shared > emulation::most_launched) return cudaErrorInvalidValue;
  emulation::launched_bytes = static_cast<std::size_t>(shared);
  const auto kernel = reinterpret_cast<void (*)(Parameters...)>(const_cast<void*>(code));
  emulation::run(blocks, threads, [&] { kernel(arguments...); });
  return cudaSuccess;
}

template <class... Parameters, class... Arguments>
cudaError_t launch(const device_launch& how, unsigned blocks, unsigned threads, int shared,
                   void (*kernel)(Parameters...), const Arguments&... arguments) {
  return launch_code<Parameters...>(how, blocks, threads, shared, code_of(kernel), arguments...);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
