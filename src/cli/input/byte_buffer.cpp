// Growth by doubling, up to the memory that is free.
#include "input/byte_buffer.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "input/failure.hpp"
#include "measure/machine.hpp"

namespace onefold::cli {
namespace {

/// The bytes that a buffer with `size` in use may grow to. An endless stream (/dev/zero) must end in a message: the
/// system would grant more memory than there is, and end a program that takes it, this one or another. A sixteenth, at
/// most 1 GiB, is left to the rest of the system.
std::size_t most_bytes(std::size_t size) {
  constexpr std::size_t most_spare = std::size_t{1} << 30;
  const std::size_t all = size + std::min(static_cast<std::size_t>(measure::available_memory()), SIZE_MAX / 4);
  return all - std::min(all / 16, most_spare);
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
    const std::size_t limit = most_bytes(size_);
    if (count > limit || size_ > limit - count)
      throw failure(exit_code::failed,
                    fmt::format("the data is larger than the {:.3g} GB of memory that are free for it",
                                static_cast<double>(limit) / 1e9));
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
