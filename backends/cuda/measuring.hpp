// What the module offers programs that measure it without CUDA's headers: memory, copies, the device's clock,
// and how its kernels fill it.
#pragma once

#include "errors.hpp"

namespace onefold::cuda {

/// Each as the member of onefold::accelerator with its name.
bool allocate(accelerator_memory kind, int device, std::int64_t bytes, void** memory, accelerator_failure* failed);
void release(accelerator_memory kind, void* memory);
bool copy(void* to, const void* from, std::int64_t bytes, accelerator_failure* failed);
bool replay(int device, bool (*enqueue)(void* context, int i, CUstream_st* stream), void* context, int calls,
            int rounds, double* seconds, accelerator_failure* failed);
bool occupancy(int device, bool (*enqueue)(void* context, int i, CUstream_st* stream), void* context,
               accelerator_occupancy* found, accelerator_failure* failed);

}  // namespace onefold::cuda
