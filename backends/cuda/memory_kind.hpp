// Where a pointer points, as CUDA sees it.
#pragma once

#include "errors.hpp"

namespace onefold::cuda {

enum class memory_kind { device, pinned, pageable };

/// What memory a device's work finds at p. Throws where that is another device's.
memory_kind memory_kind_of(const void* p, int device);

/// Throws where the first or the last byte cannot be read by this process: memory of the device that was freed looks
/// like host memory to CUDA. `what` names the pointer.
void require_readable(const void* data, std::int64_t bytes, const char* what = "data");

/// The kind of memory, for the choice of a backend.
accelerator_memory kind_of(const void* p);

/// The device whose memory it is, -1 for other memory.
int device_of(const void* p);

}  // namespace onefold::cuda
