// Threads that take turns.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace onefold::detail {

/// Waits until `turn` has a value. The thread that sets it waits for its predecessors alone; if there are more threads
/// than cores, it may need this one's.
inline void wait_for(const std::atomic<std::int64_t>& turn, std::int64_t value) {
  for (int i = 0; turn.load(std::memory_order_acquire) != value; ++i)
    if (i >= 1000) std::this_thread::yield();
}

}  // namespace onefold::detail
