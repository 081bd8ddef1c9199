// Edges of bins as an accelerator compares elements with them: keys, and a guess whose error is known.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "onefold/bin_request.hpp"
#include "onefold/detail/histogram.hpp"

namespace onefold::detail {

/// Bins as in bin_request.
struct bin_limits {
  std::vector<std::uint64_t> first;  ///< of the bins that elements can be in; empty: no element is in any
  std::uint64_t last;
  bin_guess guess;
};

/// Those of edges, which ascend, for elements of a type.
bin_limits limits_of(dtype element, std::span<const double> edges, bin_widths widths);

}  // namespace onefold::detail
