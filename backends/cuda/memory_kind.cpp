#include "memory_kind.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>

namespace onefold::cuda {
namespace {

cudaPointerAttributes attributes_of(const void* p) {
  cudaPointerAttributes a{};
  if (cudaPointerGetAttributes(&a, p) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    a.type = cudaMemoryTypeUnregistered;
  }
  return a;
}

/// Whether managed memory was last prefetched to a device. Where it was not prefetched, the host wrote it, as a rule.
bool was_moved(const void* p) {
  int to = cudaInvalidDeviceId;
  if (cudaMemRangeGetAttribute(&to, sizeof to, cudaMemRangeAttributeLastPrefetchLocation, p, 1) == cudaSuccess)
    return to >= 0;
  static_cast<void>(cudaGetLastError());
  return false;
}

}  // namespace

memory_kind memory_kind_of(const void* p, int device) {
  const cudaPointerAttributes a = attributes_of(p);
  switch (a.type) {
    case cudaMemoryTypeDevice:
      if (a.device != device)
        throw error(error_code::invalid_argument, "the pointer belongs to device " + std::to_string(a.device) +
                                                      ", but the plan is for device " + std::to_string(device) +
                                                      "; choose the device with options.device");
      return memory_kind::device;
    case cudaMemoryTypeManaged:
      return memory_kind::device;
    case cudaMemoryTypeHost:
      return memory_kind::pinned;
    default:
      return memory_kind::pageable;
  }
}

void require_readable(const void* data, std::int64_t bytes, const char* what) {
  for (const std::int64_t at : {std::int64_t{0}, bytes - 1}) {
    char byte = 0;
    const iovec to{&byte, 1};
    const iovec from{const_cast<char*>(static_cast<const char*>(data) + at), 1};
    if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) < 0 && errno == EFAULT)
      throw error(
          error_code::invalid_argument,
          std::string("the ") + what + " pointer is neither device memory nor host memory that this process can read");
  }
}

accelerator_memory kind_of(const void* p) {
  switch (attributes_of(p).type) {
    case cudaMemoryTypeDevice:
      return accelerator_memory::device;
    case cudaMemoryTypeManaged:
      return was_moved(p) ? accelerator_memory::managed : accelerator_memory::pageable;
    case cudaMemoryTypeHost:
      return accelerator_memory::pinned;
    default:
      return accelerator_memory::pageable;
  }
}

int device_of(const void* p) {
  const cudaPointerAttributes a = attributes_of(p);
  return a.type == cudaMemoryTypeDevice ? a.device : -1;
}

}  // namespace onefold::cuda
