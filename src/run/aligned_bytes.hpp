// Bytes at an alignment that is known at run time only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

namespace onefold::detail {

/// A growing array of bytes: what std::vector is, at an alignment of its own.
class aligned_bytes {
 public:
  explicit aligned_bytes(std::size_t align) : memory_(nullptr, release{std::align_val_t{align}}) {}
  aligned_bytes(const aligned_bytes& other) : memory_(nullptr, other.memory_.get_deleter()) {
    if (other.size_ > 0) std::memcpy(extend(other.size_), other.data(), other.size_);
  }
  aligned_bytes(aligned_bytes&& other) noexcept
      : memory_(std::move(other.memory_)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  aligned_bytes& operator=(aligned_bytes other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~aligned_bytes() = default;

  std::byte* data() const { return memory_.get(); }
  std::size_t size() const { return size_; }
  void clear() { size_ = 0; }

  /// Makes room for `size` bytes in all: extend and append do not fail up to there.
  void reserve(std::size_t size) {
    if (size <= capacity_) return;
    const std::size_t grown = std::max(size, 2 * capacity_);
    holder larger(static_cast<std::byte*>(::operator new(grown, memory_.get_deleter().align)), memory_.get_deleter());
    if (size_ > 0) std::memcpy(larger.get(), memory_.get(), size_);
    memory_ = std::move(larger);
    capacity_ = grown;
  }
  /// Memory for n bytes more, at the end.
  std::byte* extend(std::size_t n) {
    reserve(size_ + n);
    size_ += n;
    return memory_.get() + (size_ - n);
  }
  void append(const void* from, std::size_t n) {
    if (n > 0) std::memcpy(extend(n), from, n);
  }

 private:
  struct release {
    std::align_val_t align;
    void operator()(std::byte* p) const { ::operator delete(p, align); }
  };
  using holder = std::unique_ptr<std::byte, release>;
  holder memory_;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace onefold::detail
