// This CPU: its instruction-set levels, and the floating-point environment that folds need.
#pragma once

#include <cstdint>
#include <vector>

#include "onefold/options.hpp"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace onefold::detail {

/// The levels that this CPU has and the library was built for, lowest first.
const std::vector<isa>& cpu_levels();

/// The level that ONEFOLD_ISA asks for; automatic: none. Throws invalid_argument for an unknown name,
/// unsupported for a level that this CPU lacks.
isa resolve_level();

/// The level to use: the option, else what the environment asks for, else the CPU's highest. Throws as resolve_level
/// does.
isa choose_level(const options& how);

/// While it lives the thread computes as IEEE 754 says: nearest-even, subnormals kept, no trap. What the thread
/// had before is restored, but for exception flags that the arithmetic raised.
class float_environment {
 public:
#if defined(__x86_64__)
  float_environment() : saved_(_mm_getcsr()) {
    if ((saved_ & control) != standard) _mm_setcsr(standard);
  }
  ~float_environment() {
    if ((saved_ & control) != standard) _mm_setcsr(saved_);
  }

 private:
  static constexpr unsigned standard = 0x1f80;  // all exceptions masked, nearest, neither FTZ nor DAZ
  static constexpr unsigned control = 0xffc0;   // everything but the exception flags
  unsigned saved_;
#elif defined(__aarch64__)
  float_environment() {
    __asm__ volatile("mrs %0, fpcr" : "=r"(saved_));
    if (saved_ != 0) set(0);
  }
  ~float_environment() {
    if (saved_ != 0) set(saved_);
  }

 private:
  static void set(std::uint64_t control) { __asm__ volatile("msr fpcr, %0" : : "r"(control)); }
  std::uint64_t saved_;
#else
#error "onefold: no floating-point environment guard for this architecture; add it to src/cpu.hpp"
#endif

 public:
  float_environment(const float_environment&) = delete;
  float_environment& operator=(const float_environment&) = delete;
};

}  // namespace onefold::detail
