// Growth by doubling, up to the memory of the machine.
#include "input/byte_buffer.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "input/failure.hpp"

namespace onefold::cli {
namespace {

/// Bytes of memory of this machine. An endless stream (/dev/zero) must end in a message, and the system would
/// grant more memory than there is.
std::size_t memory_of_machine() {
  static const std::size_t bytes = [] {
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(page) : SIZE_MAX / 2;
  }();
  return bytes;
}

}  // namespace

byte_buffer::byte_buffer(byte_buffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      capacity_(std::exchange(other.capacity_, 0)) {}

byte_buffer& byte_buffer::operator=(byte_buffer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(capacity_, other.capacity_);
  return *this;
}

byte_buffer::~byte_buffer() { std::free(data_); }

std::byte* byte_buffer::room(std::size_t count) {
  if (count > capacity_ - size_) {
    const std::size_t limit = memory_of_machine();
    if (count > limit || size_ > limit - count)
      throw failure(exit_code::failed,
                    fmt::format("the data is larger than the {} bytes of memory of this machine", limit));
    const std::size_t wanted = std::max(size_ + count, std::min(2 * capacity_, limit));
    void* moved = std::realloc(data_, wanted);
    if (moved == nullptr) throw std::bad_alloc();
    data_ = static_cast<std::byte*>(moved);
    capacity_ = wanted;
  }
  return data_ + size_;
}

void byte_buffer::append(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  std::memcpy(room(bytes.size()), bytes.data(), bytes.size());
  grow(bytes.size());
}

void byte_buffer::drop(std::size_t count) {
  if (count == 0) return;
  std::memmove(data_, data_ + count, size_ - count);
  size_ -= count;
}

}  // namespace onefold::cli
