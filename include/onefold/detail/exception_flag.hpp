// Asks the CPU whether arithmetic raised a floating-point exception: one look at a flag for a whole page of elements.
#pragma once

#include <cstdint>

#include "onefold/detail/level.hpp"
#include "onefold/types.hpp"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The exceptions, as bits of the CPU's status register.
#if defined(__x86_64__)
enum class exception : std::uint32_t { invalid = 1, inexact = 32 };
#elif defined(__aarch64__)
enum class exception : std::uint32_t { invalid = 1, inexact = 16 };
#endif

#if defined(__x86_64__) || defined(__aarch64__)
/// Whether the thread's flag of an exception is raised between construction and raised(). The flag is left as it was
/// found.
template <exception Which>
class exception_flag {
 public:
  ONEFOLD_INLINE exception_flag() : before_(status()) {
    if (before_ & flag) set_status(before_ & ~flag);
    __asm__ volatile("" ::: "memory");
  }
  /// `result` is what the arithmetic in question ends in: it is done before the flag is read.
  template <class S>
  ONEFOLD_INLINE bool raised(const S& result) {
    __asm__ volatile("" : : "m"(result) : "memory");
    const bool is = (status() & flag) != 0;
    if (is != ((before_ & flag) != 0)) set_status(before_);
    return is;
  }

 private:
  static constexpr auto flag = static_cast<std::uint32_t>(Which);
#if defined(__x86_64__)
  static ONEFOLD_INLINE std::uint32_t status() { return _mm_getcsr(); }
  static ONEFOLD_INLINE void set_status(std::uint32_t s) { _mm_setcsr(s); }
#else
  static ONEFOLD_INLINE std::uint32_t status() {
    std::uint64_t s;
    __asm__ volatile("mrs %0, fpsr" : "=r"(s)::"memory");
    return static_cast<std::uint32_t>(s);
  }
  static ONEFOLD_INLINE void set_status(std::uint32_t s) {
    __asm__ volatile("msr fpsr, %0" : : "r"(std::uint64_t{s}) : "memory");
  }
#endif
  std::uint32_t before_;
};
#endif

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
