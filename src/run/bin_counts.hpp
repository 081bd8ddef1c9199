// Counting in bins on a CPU.
#pragma once

#include <cstdint>
#include <span>

#include "onefold/detail/histogram.hpp"
#include "run/partition.hpp"

namespace onefold::detail {

/// count_in_bins by these threads. The edges have been checked. Returns how many of the threads counted.
int count_by_threads(dtype element, const void* data, std::int64_t n, std::span<const double> edges, bin_widths widths,
                     const team& threads, std::int64_t* counts);

}  // namespace onefold::detail
