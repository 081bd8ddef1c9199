// How far the work has come: written by readers, shown by the progress line.
#pragma once

#include <atomic>
#include <cstdint>

namespace onefold::cli {

/// Counters of one run; any thread may read them.
struct progress_counter {
  std::atomic<std::uint64_t> bytes{0};        ///< bytes read so far
  std::atomic<std::uint64_t> expected{0};     ///< bytes to read as far as known, 0 if unknown
  std::atomic<const char*> phase{"reading"};  ///< what is going on, one word
};

}  // namespace onefold::cli
