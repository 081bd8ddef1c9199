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

/// Offset i of segments whose offsets the host can read.
inline std::int64_t offset_of(const device_segments& segments, std::int64_t i) {
  return segments.wide ? static_cast<const std::int64_t*>(segments.offsets)[i]
                       : std::int64_t{static_cast<const std::uint32_t*>(segments.offsets)[i]};
}

/// The same of offsets in device memory. Waits.
std::int64_t copied_offset(const device_segments& segments, std::int64_t i);

/// Looks for them; `room` is device memory for a segment_faults. Waits.
segment_faults find_faults(const device_segments& segments, void* room);

}  // namespace onefold::cuda
