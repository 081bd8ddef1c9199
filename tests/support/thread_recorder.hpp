// An operation that tells which threads fold.
#pragma once

#include <cstdint>
#include <mutex>
#include <set>
#include <thread>

namespace support {

/// Counts elements; each thread that folds a page of f32 leaves its number.
struct thread_recorder {
  std::mutex* lock;
  std::set<std::thread::id>* seen;
  using state = std::int64_t;
  static state identity() { return 0; }
  state lift(float, std::int64_t index) const {
    if (index % 4096 == 0) {
      const std::lock_guard hold(*lock);
      seen->insert(std::this_thread::get_id());
    }
    return 1;
  }
  static state combine(state a, state b) { return a + b; }
  static state finish(state s) { return s; }
};

}  // namespace support
