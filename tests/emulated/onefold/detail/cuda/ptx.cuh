// Stands in for the library's: the same by means of the CPU.
#pragma once

#include "emulation.hpp"
#include "onefold/detail/level.hpp"
#include "onefold/types.hpp"

#define ONEFOLD_DYNAMIC_MEMORY(name) uint4* const name = reinterpret_cast<uint4*>(emulation::dynamic_memory)

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

inline std::uint32_t shared_place(const void* p) {
  return static_cast<std::uint32_t>(static_cast<const char*>(p) - emulation::dynamic_memory);
}
template <int Bytes, int At = 0>
void copy_ahead(std::uint32_t to, const char* from) {
  to += At;
  from += At;
  if (to % Bytes != 0 || reinterpret_cast<std::uintptr_t>(from) % Bytes != 0) emulation::fail("a misaligned copy");
  if (to + Bytes > emulation::launched_bytes) emulation::fail("a copy beyond shared memory");
  std::memcpy(emulation::dynamic_memory + to, from, Bytes);
}
inline void end_copies() {}
template <int Groups>
void await_copies() {}
template <int Bytes>
void copy_small(std::uint32_t to, const char* from) {
  copy_ahead<Bytes>(to, from);
}
template <std::uint32_t By>
void add_to_shared(std::uint32_t counter) {
  if (counter % 4 != 0 || counter + 4 > emulation::launched_bytes) emulation::fail("no counter in shared memory");
  atomicAdd(reinterpret_cast<std::uint32_t*>(emulation::dynamic_memory + counter), By);
}
inline float float_from_half(std::uint16_t bits) { return static_cast<float>(std::bit_cast<_Float16>(bits)); }

template <class T>
std::uint32_t rounded_pair(float low, float high) {
  return T(low).bits | std::uint32_t{T(high).bits} << 16;
}
template <class V>
V largest_or_nan(V a, V b) {
  return a < b || b != b ? b : a;
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
