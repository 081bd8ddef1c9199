// Where a plan has found host memory, so that its short way knows a pointer again in a nanosecond.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace onefold::detail {

/// Blocks of 64 KiB in which data was in host memory when a run looked. To ask the loader whether a driver has come
/// takes 18 ns (EPYC, glibc 2.36), more than a sum of a few elements. No driver mixes a device's memory with the host's
/// in such a block: CUDA's gives out address space in pieces of 2 MiB.
class host_blocks {
 public:
  host_blocks() { std::ranges::fill(slots_, ~std::uintptr_t{0}); }

  bool contains(const void* p) const { return slots_[block_of(p) % count] == block_of(p); }
  /// p is data that can be read: never null, nor in its block.
  void insert(const void* p) { slots_[block_of(p) % count] = block_of(p); }

 private:
  static constexpr std::size_t count = 16;
  static std::uintptr_t block_of(const void* p) { return reinterpret_cast<std::uintptr_t>(p) >> 16; }

  std::uintptr_t slots_[count];  ///< a block has one; the last one to come stays
};

}  // namespace onefold::detail
