// Memory for elements, which keeps its size from one call to the next.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace onefold::detail {

/// The largest alignment that elements of a size can have: the largest power of two that divides it, up to a page of
/// memory.
constexpr std::int64_t alignment_within(std::int64_t element_size) {
  return std::min<std::int64_t>(element_size & -element_size, 4096);
}

/// Memory for elements, aligned as they can be. What is in it is lost where it grows.
class element_memory {
 public:
  /// Room for n elements of a size.
  char* room(std::int64_t n, std::int64_t element_size) {
    const auto size = static_cast<std::size_t>(element_size), bytes = static_cast<std::size_t>(n) * size;
    const std::align_val_t align{static_cast<std::size_t>(alignment_within(element_size))};
    if (bytes > bytes_ || align != memory_.get_deleter().align) {
      bytes_ = 0;
      memory_ = {nullptr, release{align}};
      memory_.reset(static_cast<char*>(::operator new(bytes, align)));
      bytes_ = bytes;
    }
    return memory_.get();
  }

 private:
  struct release {
    std::align_val_t align;
    void operator()(char* p) const { ::operator delete(p, align); }
  };
  std::unique_ptr<char, release> memory_{nullptr, release{std::align_val_t{1}}};
  std::size_t bytes_ = 0;
};

}  // namespace onefold::detail
