// The list of the elementary functions, and how their tests call them: one object file for each instruction-set level.
#pragma once

#include <cstdint>
#include <span>

// Each function's name.
#define ONEFOLD_MATH_FUNCTIONS(X) \
  X(exp) X(log) X(exp2) X(log2) X(expm1) X(log1p) X(tanh) X(sqrt) X(rsqrt) X(exp_nonpositive)

namespace math {

/// out[i] = function(in[i]) for n elements, a multiple of 64, by packs of `width`.
struct kernel {
  const char* function;
  int bytes;  // of an element: 4 or 8
  int width;
  void (*run)(const void* in, void* out, std::int64_t n);
};

/// What kernels.cpp has for a level, whether this CPU can run it, and the bytes of its registers.
struct level {
  const char* name;
  bool runs;
  int register_bytes;
  std::span<const kernel> kernels;

  /// The function by packs of `width`; by whole registers for 0.
  const kernel& of(const char* function, int bytes, int width = 0) const;
};

/// All levels that are built, the least first.
std::span<const level> levels();

/// The best of them that runs.
const level& best_level();

/// The bits of the i-th argument of the checksums: i times the golden ratio, so that all exponents come in turn.
inline std::uint32_t argument32(std::uint64_t i) { return static_cast<std::uint32_t>(i * 0x9e3779b1u); }
inline std::uint64_t argument64(std::uint64_t i) { return i * 0x9e3779b97f4a7c15u; }
inline constexpr std::int64_t arguments32 = 1 << 24, arguments64 = 1 << 20;

/// What a result adds to a checksum, which is a sum modulo 2^64: the order of additions does not matter.
constexpr std::uint64_t share(std::uint64_t argument, std::uint64_t result) {
  std::uint64_t h = (result + 1) * 0x9e3779b97f4a7c15u ^ argument * 0xd6e8feb86659fd93u;
  h = (h ^ h >> 32) * 0xd6e8feb86659fd93u;
  return h ^ h >> 29;
}

}  // namespace math
