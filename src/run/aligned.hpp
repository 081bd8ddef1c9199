// How scratch memory is laid out: lengths rounded up to alignments.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace onefold::detail {

/// The least multiple of `align` that is not below n.
constexpr std::int64_t aligned(std::int64_t n, std::int64_t align = 64) { return (n + align - 1) / align * align; }

/// Where parts of these bytes begin that lie one after the other, each in cache lines of its own; then, where they end.
template <std::size_t N>
constexpr std::array<std::int64_t, N + 1> offsets_of(const std::int64_t (&bytes)[N]) {
  std::array<std::int64_t, N + 1> offsets{};
  for (std::size_t i = 0; i < N; ++i) offsets[i + 1] = offsets[i] + aligned(bytes[i]);
  return offsets;
}

}  // namespace onefold::detail
