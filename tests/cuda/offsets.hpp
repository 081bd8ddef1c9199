// Offsets of segments whose lengths repeat, for the tests of the CUDA backend.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace support {

using offsets = std::vector<std::int64_t>;

/// `count` segments that begin at element `first`, of lengths that repeat.
inline offsets repeated(std::int64_t first, std::int64_t count, const std::vector<std::int64_t>& lengths) {
  offsets at{first};
  for (std::int64_t i = 0; i < count; ++i)
    at.push_back(at.back() + lengths[static_cast<std::size_t>(i) % lengths.size()]);
  return at;
}

}  // namespace support
