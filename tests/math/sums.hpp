// Checksums of the functions' results on the CPU.
#pragma once

#include <bit>
#include <cstring>
#include <vector>

#include "functions.hpp"

namespace math {

#define ONEFOLD_MATH_NAME(f) #f,
inline constexpr const char* names[] = {ONEFOLD_MATH_FUNCTIONS(ONEFOLD_MATH_NAME)};
#undef ONEFOLD_MATH_NAME

/// The checksum of a kernel over n arguments, a multiple of 4096, whose bits `argument` gives.
template <class Bits, class Argument>
std::uint64_t sum_of(const kernel& k, std::int64_t n, Argument argument) {
  constexpr std::int64_t piece = 4096;
  std::vector<Bits> x(piece), y(piece);
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < n; i += piece) {
    for (std::int64_t j = 0; j < piece; ++j)
      x[static_cast<std::size_t>(j)] = argument(static_cast<std::uint64_t>(i + j));
    k.run(x.data(), y.data(), piece);
    for (std::size_t j = 0; j < piece; ++j) sum += share(x[j], y[j]);
  }
  return sum;
}

/// What golden.inc has of a function.
inline std::uint64_t sum_of_arguments(const level& l, const char* function, int bytes) {
  const kernel& k = l.of(function, bytes);
  if (bytes == 4) return sum_of<std::uint32_t>(k, arguments32, argument32);
  return sum_of<std::uint64_t>(k, arguments64, argument64);
}

/// What blocks.inc has of a function.
inline std::uint32_t sum_of_block(const level& l, const char* function, int block) {
  const auto first = static_cast<std::uint32_t>(block) << 24;
  return static_cast<std::uint32_t>(sum_of<std::uint32_t>(
      l.of(function, 4), 1 << 24, [&](std::uint64_t i) { return first + static_cast<std::uint32_t>(i); }));
}

}  // namespace math
