// Runs the kernels of the CUDA backend on the CPU, for tests: a fiber for each thread of a block, one block after the
// other. Shuffles, ballots and barriers wait as on a device, and one in divergent code ends the program; copies that
// run ahead are there at once. So a test sees what kernels compute, but no race.
//
// It is to be included before them, with this folder before the library's headers: onefold/detail/cuda/ptx.cuh,
// barriers.cuh, stream.cuh and launch.cuh, and rows/cluster.cuh, here stand in for the others. Clusters are not
// emulated.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <type_traits>
#include <vector>

// A block runs at a time, so that what it shares can be static.
#undef __shared__
#define __shared__ static
#undef __noinline__
#define __noinline__ __attribute__((noinline))
#undef __forceinline__
#define __forceinline__ inline
#undef __launch_bounds__
#define __launch_bounds__(...)
#undef __grid_constant__
#define __grid_constant__

struct emulated_index {
  unsigned x = 0, y = 0, z = 0;
};
inline emulated_index threadIdx, blockIdx, blockDim, gridDim;

namespace emulation {

// Of x86-64: saves what a call preserves on the stack of *from, and goes on where `to` was left. The functions of
// <ucontext.h> would ask the kernel for the signal mask each time.
extern "C" void emulation_switch(void** from, void* to);
asm(R"(
.weak emulation_switch
emulation_switch:
  push %rbp; push %rbx; push %r12; push %r13; push %r14; push %r15
  mov %rsp, (%rdi)
  mov %rsi, %rsp
  pop %r15; pop %r14; pop %r13; pop %r12; pop %rbx; pop %rbp
  ret
)");

enum class state { runs, waits_for_warp, waits_for_block, ended };

struct fiber {
  void* stack;
  state is = state::runs;
};
struct warp {
  int arrived = 0, alive = 0;
  unsigned meetings = 0;
  std::uint64_t value[2][32];  ///< what threads give each other, in turns
};

inline constexpr std::size_t stack_bytes = 128 << 10, shared_bytes = 228 << 10;
inline std::vector<fiber> fibers;
inline std::vector<warp> warps;
inline std::unique_ptr<char[]> stacks;
inline std::size_t stacks_of = 0;
inline int arrived_in_block, alive_in_block;
inline void* scheduler;
inline const std::function<void()>* kernel;
inline unsigned current;
alignas(128) inline char dynamic_memory[shared_bytes];
inline int most_launched = static_cast<int>(shared_bytes);  ///< of it, for a launch
inline std::size_t launched_bytes = 0;                      ///< what the kernel that runs was launched with

[[noreturn]] inline void fail(const char* why) {
  std::fprintf(stderr, "emulated block %u, thread %u: %s\n", blockIdx.x, current, why);
  std::abort();
}

inline void wait(state for_what) {
  fibers[current].is = for_what;
  emulation_switch(&fibers[current].stack, scheduler);
}
/// Lets the other threads of the block run.
inline void yield() { wait(state::runs); }
inline void release(state from, std::size_t first, std::size_t count) {
  for (std::size_t i = first; i < std::min(first + count, fibers.size()); ++i)
    if (fibers[i].is == from) fibers[i].is = state::runs;
}
inline void meet_warp() {
  warp& w = warps[current / 32];
  if (++w.arrived < w.alive) return wait(state::waits_for_warp);
  w.arrived = 0;
  ++w.meetings;
  release(state::waits_for_warp, current / 32 * 32, 32);
}
inline void meet_block() {
  if (++arrived_in_block < alive_in_block) return wait(state::waits_for_block);
  arrived_in_block = 0;
  release(state::waits_for_block, 0, fibers.size());
}

inline void begin_thread() {
  (*kernel)();
  warp& w = warps[current / 32];
  if (w.arrived > 0) fail("ended while others of its warp wait for it");
  --w.alive;
  if (--alive_in_block > 0 && arrived_in_block == alive_in_block) {
    arrived_in_block = 0;
    release(state::waits_for_block, 0, fibers.size());
  }
  wait(state::ended);
}

inline void run_block(unsigned threads, const std::function<void()>& body) {
  kernel = &body;
  fibers.assign(threads, {});
  warps.assign((threads + 31) / 32, {});
  if (stacks_of < threads) {
    stacks.reset(new char[threads * stack_bytes]);
    stacks_of = threads;
  }
  for (unsigned i = 0; i < threads; ++i) {
    const auto top = reinterpret_cast<std::uintptr_t>(stacks.get() + (i + 1) * stack_bytes) & ~std::uintptr_t{63};
    void** const stack = reinterpret_cast<void**>(top) - 2;
    stack[0] = reinterpret_cast<void*>(&begin_thread);
    fibers[i].stack = stack - 6;  // the registers
    ++warps[i / 32].alive;
  }
  arrived_in_block = 0;
  alive_in_block = static_cast<int>(threads);
  for (bool left = true; left;) {
    bool any = false;
    left = false;
    for (unsigned i = 0; i < threads; ++i) {
      left |= fibers[i].is != state::ended;
      if (fibers[i].is != state::runs) continue;
      any = true;
      current = threadIdx.x = i;
      emulation_switch(&scheduler, fibers[i].stack);
    }
    if (left && !any) fail("all threads wait: a barrier or a shuffle in divergent code");
  }
}

/// Runs a kernel; `body` is what each thread does.
inline void run(unsigned blocks, unsigned threads, const std::function<void()>& body) {
  blockDim.x = threads;
  gridDim.x = blocks;
  for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x) run_block(threads, body);
}

/// What a thread of the warp has given; `mine` is what this one gives.
template <class V, class Combine>
auto among_warp(V mine, const Combine& take) {
  static_assert(sizeof(V) <= 8);
  warp& w = warps[current / 32];
  auto& values = w.value[w.meetings & 1];
  values[current % 32] = 0;
  std::memcpy(&values[current % 32], &mine, sizeof mine);
  meet_warp();
  return take([&](unsigned lane) {
    V x;
    std::memcpy(&x, &values[lane % 32], sizeof x);
    return x;
  });
}
template <class V>
V from_lane(V mine, unsigned lane) {
  return among_warp(mine, [&](const auto& of) { return of(lane); });
}
template <class V, class F>
V reduced(V mine, const F& combine) {
  return among_warp(mine, [&](const auto& of) {
    V x = of(0);
    for (unsigned i = 1; i < 32; ++i) x = combine(x, of(i));
    return x;
  });
}
inline unsigned lane() { return current % 32; }

}  // namespace emulation

// ---- what CUDA C++ has for kernels -------------------------------------------------------------------------

inline void __syncthreads() { emulation::meet_block(); }
inline void __syncwarp(unsigned = ~0u) { emulation::meet_warp(); }
inline void __threadfence() {}

template <class V>
V __shfl_sync(unsigned, V v, int lane) {
  return emulation::from_lane(v, static_cast<unsigned>(lane));
}
template <class V>
V __shfl_xor_sync(unsigned, V v, int mask) {
  return emulation::from_lane(v, emulation::lane() ^ static_cast<unsigned>(mask));
}
template <class V>
V __shfl_down_sync(unsigned, V v, unsigned by) {
  return emulation::from_lane(v, emulation::lane() + by < 32 ? emulation::lane() + by : emulation::lane());
}
template <class V>
V __shfl_up_sync(unsigned, V v, unsigned by) {
  return emulation::from_lane(v, emulation::lane() >= by ? emulation::lane() - by : emulation::lane());
}
template <class V>
V __reduce_min_sync(unsigned, V v) {
  return emulation::reduced(v, [](V a, V b) { return a < b ? a : b; });
}
template <class V>
V __reduce_max_sync(unsigned, V v) {
  return emulation::reduced(v, [](V a, V b) { return a > b ? a : b; });
}
inline unsigned __ballot_sync(unsigned, bool is) {
  return emulation::reduced(is ? 1u << emulation::lane() : 0u, [](unsigned a, unsigned b) { return a | b; });
}
inline bool __any_sync(unsigned, bool is) { return __ballot_sync(0, is) != 0; }
inline bool __all_sync(unsigned, bool is) { return __ballot_sync(0, !is) == 0; }

template <class T, class U>
T atomicAdd(T* p, U v) {
  const T before = *p;
  *p = static_cast<T>(before + static_cast<T>(v));
  return before;
}
template <class T, class U>
T atomicOr(T* p, U v) {
  const T before = *p;
  *p = before | v;
  return before;
}
template <class T, class U>
T atomicExch(T* p, U v) {
  const T before = *p;
  *p = v;
  return before;
}

inline unsigned atomicInc(unsigned* p, unsigned most) {
  const unsigned before = *p;
  *p = before >= most ? 0 : before + 1;
  return before;
}

template <class T>
T __ldcs(const T* p) {
  return *p;
}
template <class T>
void __stcs(T* p, T v) {
  *p = v;
}
template <class T>
void __stcg(T* p, T v) {
  *p = v;
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) {
  return static_cast<unsigned>((std::uint64_t{high} << 32 | low) >> (by & 31));
}
inline unsigned __brev(unsigned x) {
  unsigned reversed = 0;
  for (int i = 0; i < 32; ++i) reversed |= (x >> i & 1) << (31 - i);
  return reversed;
}
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
inline int __popc(unsigned x) { return std::popcount(x); }
inline int __double2hiint(double x) { return static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 32); }
inline double __longlong_as_double(long long x) { return std::bit_cast<double>(x); }
inline long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
inline double __fma_rn(double a, double b, double c) { return std::fma(a, b, c); }
inline int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 32; i += 8) c += static_cast<signed char>(a >> i) * static_cast<signed char>(b >> i);
  return c;
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 32; i += 8) c += (a >> i & 255) * (b >> i & 255);
  return c;
}
template <class A, class B>
constexpr auto max(A a, B b) -> std::common_type_t<A, B> {
  if constexpr (std::is_floating_point_v<A>)
    return std::fmax(a, b);
  else
    return a > b ? a : b;
}
template <class A, class B>
constexpr auto min(A a, B b) -> std::common_type_t<A, B> {
  if constexpr (std::is_floating_point_v<A>)
    return std::fmin(a, b);
  else
    return a < b ? a : b;
}
