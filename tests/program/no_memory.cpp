// Preloaded: after the first ONEFOLD_TEST_ALLOCATIONS calls of malloc and its like, none gets memory any more, but for
// NVIDIA's runtime in the CUDA module: it dies of a failing malloc while it is loaded.
#include <dlfcn.h>
#include <malloc.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

std::atomic<long> left{-1};

bool is_cuda_module(void* caller) {
  Dl_info place;
  return dladdr(caller, &place) != 0 && place.dli_fname != nullptr && std::strstr(place.dli_fname, "onefold_cuda");
}

/// Whether a call gets memory. The environment is read by the first, before any thread starts.
bool grants(void* caller) {
  static const bool limited = [] {
    const char* words = std::getenv("ONEFOLD_TEST_ALLOCATIONS");
    if (words != nullptr) left = std::atol(words);
    return words != nullptr;
  }();
  if (!limited || left.fetch_sub(1) > 0 || is_cuda_module(caller)) return true;
  errno = ENOMEM;
  return false;
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) noexcept { return grants(__builtin_return_address(0)) ? __libc_malloc(size) : nullptr; }
void* calloc(std::size_t count, std::size_t size) noexcept {
  return grants(__builtin_return_address(0)) ? __libc_calloc(count, size) : nullptr;
}
void* realloc(void* block, std::size_t size) noexcept {
  return grants(__builtin_return_address(0)) ? __libc_realloc(block, size) : nullptr;
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  return grants(__builtin_return_address(0)) ? __libc_memalign(alignment, size) : nullptr;
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept { return memalign(alignment, size); }
int posix_memalign(void** block, std::size_t alignment, std::size_t size) noexcept {
  void* const made = memalign(alignment, size);
  if (made == nullptr) return ENOMEM;
  *block = made;
  return 0;
}
}
