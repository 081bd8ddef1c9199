// The CUDA devices of this process: whether any can run, what they are, and which one is current.
#pragma once

#include "errors.hpp"

struct CUctx_st;

namespace onefold::cuda {

/// Null if a device can run the module's kernels, else a sentence that says what is missing.
const char* why_not();

/// Versions of the driver and of the runtime.
const char* version();

int devices();

/// Name, compute capability, multiprocessors and memory.
void describe(int device, char* text, int size);

/// The data sheet of a device, -1 for the current one; read once.
bool specifications(int device, accelerator_specifications* of, accelerator_failure* failed);

/// Multiprocessors of a device; asked for once.
int processors(int device);

/// Whether exact sums add integers alone: on devices with one f64 unit for more than eight of f32, or where the
/// environment variable ONEFOLD_CUDA_EXACT is "integer" rather than "float". The bits are the same.
bool adds_exactly_in_integers(int device);

/// While it lives, `device` is current on this thread; then the caller's context is again.
class current_device {
 public:
  explicit current_device(int device, cudaError_t* failed = nullptr);
  ~current_device();
  current_device(const current_device&) = delete;
  current_device& operator=(const current_device&) = delete;

 private:
  CUctx_st* before_ = nullptr;
  bool changed_ = false;
};

/// The device that is current on this thread.
int current();

}  // namespace onefold::cuda
