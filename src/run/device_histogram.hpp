// Histograms on an accelerator, and the choice of where they are computed.
#pragma once

#include <cstdint>
#include <span>

#include "choose.hpp"
#include "onefold/detail/histogram.hpp"

namespace onefold::detail {

/// The choice for a histogram of n elements at data: an accelerator where one is asked for, or where any backend will
/// do and the data is in its memory, or in managed memory that was moved there. Writes what works to *ran, if it is not
/// null. Throws unsupported where that accelerator does not count in bins, and as a reduction does.
choice choose_for_histogram(dtype element, const void* data, std::int64_t n, const options& how, run_report* ran);

/// count_in_bins on the accelerator of a choice for the elements at data. The edges have been checked.
void count_on_device(const choice& c, const void* data, std::span<const double> edges, bin_widths widths,
                     std::int64_t* counts, run_report* ran);

}  // namespace onefold::detail
