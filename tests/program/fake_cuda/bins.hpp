// Histograms of the stand-in for CUDA.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "onefold/detail/bit_layout.hpp"
#include "program/fake_cuda/session.hpp"

namespace fake_cuda {

/// Bins by their definition, in bin_request.
inline bool count_in_bins(const bin_request& what, int* device, std::int64_t* counts, accelerator_failure* failed) {
  if (broken) return fails(failed, error_code::device, "the stand-in is broken");
  *device = what.device < 0 ? 0 : what.device;
  std::fill_n(counts, what.bins, 0);
  const detail::bit_layout layout = detail::bit_layout_of(what.element);
  const auto size = static_cast<std::size_t>(size_of(what.element));
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - 8 * size);
  for (std::int64_t i = 0; i < what.n; ++i) {
    std::uint64_t key = 0;
    std::memcpy(&key, static_cast<const char*>(what.data) + static_cast<std::size_t>(i) * size, size);
    key ^= layout.infinity != 0 && (key & layout.sign) != 0 ? all : layout.sign;
    if (key < what.limits[0] || key > what.last) continue;
    ++counts[std::upper_bound(what.limits, what.limits + what.bins, key) - what.limits - 1];
  }
  return true;
}

}  // namespace fake_cuda
