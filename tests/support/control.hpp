// The control part of the calling thread's floating-point environment: rounding mode, FTZ, DAZ, traps.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace support {

/// The control part of the floating-point environment, without the flags that arithmetic raises.
#if defined(__x86_64__)
inline std::uint64_t control() { return _mm_getcsr() & 0xffc0u; }
inline void set_control(std::uint64_t c) { _mm_setcsr(static_cast<unsigned>(c)); }
inline constexpr std::uint64_t standard = 0x1f80;
// FTZ | DAZ; toward zero; upward with FTZ | DAZ.
inline constexpr std::uint64_t strange[] = {standard | 0x8040, standard | 0x6000, standard | 0x4000 | 0x8040};
#else
inline std::uint64_t control() {
  std::uint64_t c;
  __asm__ volatile("mrs %0, fpcr" : "=r"(c));
  return c;
}
inline void set_control(std::uint64_t c) { __asm__ volatile("msr fpcr, %0" : : "r"(c)); }
inline constexpr std::uint64_t standard = 0;
inline constexpr std::uint64_t strange[] = {1 << 24, 3 << 22, 1 << 24 | 1 << 22};
#endif

/// Sets a control word for as long as it lives.
class with_control {
 public:
  explicit with_control(std::uint64_t c) : saved_(control()) { set_control(c); }
  ~with_control() { set_control(saved_); }
  with_control(const with_control&) = delete;
  with_control& operator=(const with_control&) = delete;

 private:
  std::uint64_t saved_;
};

}  // namespace support
