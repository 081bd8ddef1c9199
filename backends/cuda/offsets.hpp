// Offsets of segments that are in device memory.
#pragma once

#include <cstdint>

#include "onefold/device.hpp"

namespace onefold::cuda {

/// What is wrong, or peculiar, about offsets: the numbers of the first ones, or at least 2^62 where there are none.
struct segment_faults {
  std::int64_t bad_offset;     ///< negative, less than the one before it, or beyond the end of the array
  std::int64_t empty_segment;  ///< without elements
};

/// Looks for them; `room` is device memory for a segment_faults. Waits.
segment_faults find_faults(const device_segments& segments, void* room);

}  // namespace onefold::cuda
