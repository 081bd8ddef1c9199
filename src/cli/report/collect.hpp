// Measures what a report asks for.
#pragma once

#include <atomic>

#include "report/record.hpp"

namespace onefold::cli {

/// Runs the chapters of the set under a progress line, until all rows are there or the flag was set. Throws error
/// where no row can be measured at all.
record collected(const assignment& asked, const std::atomic<bool>& stop);

}  // namespace onefold::cli
