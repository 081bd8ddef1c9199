// Stands in for the library's: who waits lets the other threads run.
#pragma once

#include "emulation.hpp"
#include "onefold/detail/cuda/ptx.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

struct barrier {
  std::uint16_t arrivals, missing;
  std::uint32_t phase;
};

inline void begin_barrier(barrier* b, unsigned arrivals) {
  const auto n = static_cast<std::uint16_t>(arrivals);
  *b = {n, n, 0};
}
inline void end_of_barriers() {}
inline void arrive(barrier* b) {
  if (--b->missing > 0) return;
  b->missing = b->arrivals;
  ++b->phase;
}
inline void arrive_for(barrier* b, unsigned) { arrive(b); }
inline void await_phase(barrier* b, unsigned parity) {
  while ((b->phase & 1) == parity) emulation::yield();
}
inline void copy_bulk(void* to, const void* from, unsigned bytes, barrier*) {
  if (reinterpret_cast<std::uintptr_t>(to) % 16 != 0 || reinterpret_cast<std::uintptr_t>(from) % 16 != 0 ||
      bytes % 16 != 0)
    emulation::fail("a misaligned copy");
  std::memcpy(to, from, bytes);
}

inline std::uint64_t look_at(const std::uint64_t* p) {
  emulation::yield();
  return *p;
}
inline void leave_at(std::uint64_t* p, std::uint64_t x) { *p = x; }

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
