// Measures rows.
#pragma once

#include <atomic>
#include <vector>

#include "bench/axes.hpp"
#include "bench/eta.hpp"
#include "bench/row.hpp"

namespace onefold::cli {

/// What is to be measured, and what cannot be.
struct work_list {
  axes how;  ///< the base, the seed, the time for each row, warm or not
  std::vector<setting> rows;
  std::vector<left_out> without;

  /// How long a row will take; how long all of them will.
  double expected_seconds(const setting& s) const;
  double expected_seconds() const;
};

/// The rows of the axes. Throws failure where an array does not fit into this machine's memory.
work_list listed(const axes& a);

/// Measures the rows, or those before the flag was set; `ahead` has been told of them.
findings measure(const work_list& work, eta& ahead, const std::atomic<bool>& stop);

/// Sets each row beside the first row of the base with the same reduction.
void set_speedups(std::vector<measurement>& rows, backend base);

/// Throws failure for rows with wrong bits, else for a device that was lost: what must not be, in the order of gravity.
void require_sound(const std::vector<const findings*>& all);

/// The error of a run that has no row, from its reasons, of which there is one at least.
error why_no_row(const std::vector<left_out>& without);

/// Measures the rows of the axes with a progress line. Throws error where no row can be measured at all.
findings measure_all(const axes& a, const std::atomic<bool>& stop);

}  // namespace onefold::cli
