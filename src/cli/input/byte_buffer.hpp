// A growing run of bytes: what streams are read into and numbers are gathered in.
#pragma once

#include <cstddef>
#include <span>

namespace onefold::cli {

/// Owns bytes, aligned for every element type. Grows by realloc, which moves large blocks without copying.
class byte_buffer {
 public:
  byte_buffer() = default;
  byte_buffer(byte_buffer&& other) noexcept;
  byte_buffer& operator=(byte_buffer&& other) noexcept;
  ~byte_buffer();

  /// Room for `count` bytes after the end, not yet part of the content. Throws failure where the memory
  /// that is free cannot hold them.
  std::byte* room(std::size_t count);
  /// Makes the first `count` bytes of the room part of the content.
  void grow(std::size_t count) { size_ += count; }
  /// Copies bytes to the end.
  void append(std::span<const std::byte> bytes);
  /// Forgets the first `count` bytes.
  void drop(std::size_t count);

  /// The content.
  std::span<const std::byte> bytes() const { return {data_, size_}; }
  std::size_t size() const { return size_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace onefold::cli
