// What CUDA C++ has no words for: a block's dynamic shared memory as a pointer, and instructions of the device. Other
// headers of the names of this one and barriers.cuh let kernels run on a CPU (tests/emulated): they have no other PTX.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "onefold/detail/level.hpp"
#include "onefold/types.hpp"

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

/// Adds By to a counter in shared memory, atomically. atomicAdd would recompute the address for each counter. By = 1
/// has its own instruction, which combines the lanes that increment the same counter.
template <std::uint32_t By>
__device__ void add_to_shared(std::uint32_t counter) {
  asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(counter), "n"(By) : "memory");
}

/// The f16 with these bits.
__device__ inline float float_from_half(std::uint16_t bits) {
  float y;
  asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(bits));
  return y;
}

/// Two numbers, neither of them NaN, rounded to f16 or bf16: the first one's bits are the lower half.
template <class T>
__device__ std::uint32_t rounded_pair(float low, float high) {
  std::uint32_t y;
  if constexpr (__is_same(T, f16)) {
#if __CUDA_ARCH__ >= 800
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(y) : "f"(high), "f"(low));
#else
    std::uint16_t a, b;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(a) : "f"(low));
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(b) : "f"(high));
    y = a | std::uint32_t{b} << 16;
#endif
  } else {
#if __CUDA_ARCH__ >= 800
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(y) : "f"(high), "f"(low));
#else
    y = bf16_from_float(low) | std::uint32_t{bf16_from_float(high)} << 16;
#endif
  }
  return y;
}

/// The larger one, or NaN where one is.
__device__ inline float largest_or_nan(float a, float b) {
#if __CUDA_ARCH__ >= 800
  float y;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(y) : "f"(a), "f"(b));
  return y;
#else
  return a < b || b != b ? b : a;
#endif
}
__device__ inline double largest_or_nan(double a, double b) { return a < b || b != b ? b : a; }

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
