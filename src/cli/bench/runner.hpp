// Measures the rows of the axes.
#pragma once

#include <atomic>

#include "bench/axes.hpp"
#include "bench/row.hpp"

namespace onefold::cli {

/// Measures all rows, or those before the flag was set. Throws failure where an array does not fit into this machine's
/// memory, and where no row can be measured at all.
findings measure_all(const axes& a, const std::atomic<bool>& stop);

}  // namespace onefold::cli
