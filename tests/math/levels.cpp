// The levels that the kernels are compiled for.
#include <cstring>
#include <stdexcept>
#include <string>

#include "functions.hpp"

// X(name, whether the CPU can run it, bytes of a register). v3_fused is compiled with the compiler's leave to fuse
// products and sums.
#ifdef __x86_64__
#define ONEFOLD_MATH_LEVELS(X)                                                                                       \
  X(baseline, true, 16)                                                                                              \
  X(v2, __builtin_cpu_supports("sse4.2") != 0, 16)                                                                   \
  X(v3_fused, __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"), 32)                                   \
  X(v3, __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"), 32)                                         \
  X(v4,                                                                                                              \
    __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") && \
        __builtin_cpu_supports("avx512dq"),                                                                          \
    64)
#else
#define ONEFOLD_MATH_LEVELS(X) X(baseline, true, 16)
#endif
#define ONEFOLD_MATH_LEVEL(name, runs, bytes) std::span<const math::kernel> math_kernels_##name();
ONEFOLD_MATH_LEVELS(ONEFOLD_MATH_LEVEL)
#undef ONEFOLD_MATH_LEVEL

namespace math {

const kernel& level::of(const char* function, int bytes, int width) const {
  for (const kernel& k : kernels)
    if (std::strcmp(k.function, function) == 0 && k.bytes == bytes &&
        k.width == (width == 0 ? register_bytes / bytes : width))
      return k;
  throw std::invalid_argument(std::string("unknown function ") + function);
}

std::span<const level> levels() {
#define ONEFOLD_MATH_LEVEL(name, runs, bytes) {#name, runs, bytes, math_kernels_##name()},
  static const level all[] = {ONEFOLD_MATH_LEVELS(ONEFOLD_MATH_LEVEL)};
#undef ONEFOLD_MATH_LEVEL
  return all;
}

const level& best_level() {
  const level* found = nullptr;
  for (const level& l : levels())
    if (l.runs) found = &l;
  return *found;
}

}  // namespace math
