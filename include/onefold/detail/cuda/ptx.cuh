// What CUDA C++ has no words for: a block's dynamic shared memory as a pointer, and instructions of the device. Other
// headers of the names of this one and barriers.cuh let kernels run on a CPU (tests/emulated): they have no other PTX.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "onefold/detail/level.hpp"

/// The dynamic shared memory of the block, as an array of uint4. A macro: after a function's pointer the compiler
/// forgets which memory it is.
#define ONEFOLD_DYNAMIC_MEMORY(name) extern __shared__ uint4 name[]

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Where p, which points into shared memory, is there, in bytes.
__device__ inline std::uint32_t shared_place(const void* p) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}

/// Copies 4, 8 or 16 bytes, `At` bytes after both places, into shared memory and does not wait.
template <int Bytes, int At = 0>
__device__ void copy_ahead(std::uint32_t to, const char* from) {
  if constexpr (Bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0 + %2], [%1 + %2], 16;" ::"r"(to), "l"(from), "n"(At) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0 + %3], [%1 + %3], %2;" ::"r"(to), "l"(from), "n"(Bytes), "n"(At)
                 : "memory");
}
__device__ inline void end_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
/// Waits until at most `Groups` of this thread's latest groups of copies are in flight.
template <int Groups>
__device__ void await_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Groups) : "memory");
}

/// Copies 1 or 2 bytes into shared memory.
template <int Bytes>
__device__ void copy_small(std::uint32_t to, const char* from) {
  if constexpr (Bytes == 2)
    asm volatile("st.shared.u16 [%0], %1;" ::"r"(to), "h"(*reinterpret_cast<const std::uint16_t*>(from)) : "memory");
  else
    asm volatile("st.shared.u8 [%0], %1;" ::"r"(to), "r"(std::uint32_t{static_cast<unsigned char>(*from)}) : "memory");
}

/// The f16 with these bits.
__device__ inline float float_from_half(std::uint16_t bits) {
  float y;
  asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(bits));
  return y;
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
