// CUDA's errors as exceptions inside the module, and as plain data at its border.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "onefold/backend.hpp"

namespace onefold::cuda {

/// A failed call. Carries CUDA's own name and text.
inline error failed_call(const char* what, cudaError_t e) {
  return {error_code::device, std::string("CUDA: ") + what + " failed: " + cudaGetErrorString(e) + " (" +
                                  cudaGetErrorName(e) + ", code " + std::to_string(static_cast<int>(e)) + ")"};
}

/// Throws where a call of the CUDA runtime failed. The error is taken from the runtime, so that the next call does not
/// meet it again.
inline void check(cudaError_t e, const char* what) {
  if (e == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());
  throw failed_call(what, e);
}

/// Calls f; false, and the failure filled in, where it throws.
template <class Function>
bool guarded(accelerator_failure* failed, Function&& f) {
  const auto fill = [failed](error_code code, const char* text) {
    failed->code = code;
    std::snprintf(failed->text, sizeof failed->text, "%s", text);
    return false;
  };
  try {
    f();
    return true;
  } catch (const error& e) {
    return fill(e.code(), e.what());
  } catch (const std::bad_alloc&) {
    return fill(error_code::device, "not enough host memory");
  } catch (const std::exception& e) {
    return fill(error_code::device, e.what());
  }
}

}  // namespace onefold::cuda
