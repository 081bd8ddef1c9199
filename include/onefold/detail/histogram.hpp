// The part of histograms that knows no type.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "onefold/options.hpp"
#include "onefold/report.hpp"
#include "onefold/types.hpp"

namespace onefold {

/// Bins of equal widths. All members must be given.
struct uniform_bins {
  double low = __builtin_nan("");   ///< the lower edge of the first one
  double high = __builtin_nan("");  ///< the upper edge of the last one
  std::int64_t count = 0;           ///< how many
};

}  // namespace onefold

namespace onefold::detail {

/// The edges of these bins, as `histogram` says. Throws invalid_argument for no bins, and for ends that have none.
ONEFOLD_API std::vector<double> uniform_edges(uniform_bins bins);

/// Bins from the smallest to the largest of n elements at data that are not NaN; from 0 to 1 for none. Throws as
/// count_in_bins, and invalid_argument where the ends are not finite.
ONEFOLD_API uniform_bins bins_of(dtype element, const void* data, std::int64_t n, std::int64_t count,
                                 const options& how);

/// Whether edges are those of uniform_edges: a bin is then guessed before it is looked up.
enum class bin_widths : std::uint8_t { any, equal };

/// Writes to counts[i] how many of n elements at data are between edges[i] and edges[i + 1], as `histogram` says, and
/// what worked to *ran, if it is not null. Counts are in host memory. Throws invalid_argument for edges that are none,
/// unsupported for several devices or a kernel of the ladder, and as a reduction does.
ONEFOLD_API void count_in_bins(dtype element, const void* data, std::int64_t n, std::span<const double> edges,
                               bin_widths widths, std::int64_t* counts, const options& how, run_report* ran);

}  // namespace onefold::detail
