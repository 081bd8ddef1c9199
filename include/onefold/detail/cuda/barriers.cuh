// Barriers in shared memory, copies that arrive at one (compute capability 9.0 and above), and words that blocks leave
// for each other. PTX, as ptx.cuh: another header of this name lets kernels run on a CPU (tests/emulated).
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "onefold/detail/cuda/ptx.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// A barrier in shared memory: its phases end one after the other, each once it has had its arrivals and its bytes.
struct barrier {
  std::uint64_t state;
};

/// Makes a barrier of so many arrivals a phase. A __syncthreads comes between this and its use by other threads.
__device__ inline void begin_barrier(barrier* b, unsigned arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_place(b)), "r"(arrivals) : "memory");
}
/// After the block's barriers were made, by the thread that made them.
__device__ inline void end_of_barriers() {
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}
/// Arrives; what this thread wrote before is seen by those that wait.
__device__ inline void arrive(barrier* b) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_place(b)) : "memory");
}
/// Arrives, and lets the phase wait for so many bytes of copies too.
__device__ inline void arrive_for(barrier* b, unsigned bytes) {
#if __CUDA_ARCH__ >= 900
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_place(b)), "r"(bytes) : "memory");
#endif
}
/// Waits for the end of the latest phase of this parity: the first phase has 0. The phase before the first has ended.
__device__ inline void await_phase(barrier* b, unsigned parity) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@!done bra again;\n"
      "}" ::"r"(shared_place(b)),
      "r"(parity)
      : "memory");
#endif
}
/// Starts copying bytes into shared memory; they, and both places, are multiples of 16 bytes.
__device__ inline void copy_bulk(void* to, const void* from, unsigned bytes, barrier* b) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_place(to)),
      "l"(from), "r"(bytes), "r"(shared_place(b))
      : "memory");
#endif
}

/// Reads a word that another block may write meanwhile.
__device__ inline std::uint64_t look_at(const std::uint64_t* p) {
  std::uint64_t x;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(x) : "l"(p) : "memory");
  return x;
}
__device__ inline void leave_at(std::uint64_t* p, std::uint64_t x) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(p), "l"(x) : "memory");
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
