// Loops that only read an array: what the read limit is measured with.
#pragma once

#include <cstdint>

namespace onefold::measure {

/// Reads `bytes` bytes from p, a multiple of 512, and returns some word of what was read.
using reading = std::uint64_t (*)(const char* p, std::int64_t bytes);

/// The loops for this CPU. Which order of reading is the faster depends on the machine, so there are two.
struct reader {
  const char* name;      ///< of the instruction set
  reading forward;       ///< from first to last
  reading side_by_side;  ///< four pages of 16 KiB at a time, which keeps more of the prefetcher busy
};

/// The loops with the widest vectors that this CPU has.
reader widest_reader();

}  // namespace onefold::measure
