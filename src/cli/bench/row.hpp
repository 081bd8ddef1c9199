// What is measured, and what was found.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "measure/arena.hpp"
#include "measure/statistics.hpp"
#include "onefold/array_view.hpp"
#include "onefold/dynamic.hpp"
#include "onefold/error.hpp"

namespace onefold::cli {

/// The reduced axes as the library takes them.
inline over over_axes(const std::vector<int>& reduced) {
  return {.axes = reduced.empty() ? over::list() : over::list(std::span(reduced))};
}

/// One row of the benchmark before it has run: a place on each axis.
struct setting {
  int operation;  ///< place in the catalog
  dtype element;
  std::string data;  ///< name of the data set
  std::int64_t n;
  accuracy mode;
  measure::location where;
  onefold::backend backend;
  onefold::kernel kernel;
  int threads;                           ///< as asked for; 0: the backend's own rule
  std::vector<std::int64_t> shape = {};  ///< of n elements in C order; empty: reduced as a list
  std::vector<int> reduced = {};         ///< the axes of the shape; empty: all

  std::int64_t bytes() const { return n * size_of(element); }
  bool operator==(const setting&) const = default;
};

/// Whether two rows reduce the same elements to the same results, whichever backend does.
inline bool same_reduction(const setting& a, const setting& b) {
  return a.operation == b.operation && a.element == b.element && a.data == b.data && a.n == b.n && a.mode == b.mode &&
         a.shape == b.shape && a.reduced == b.reduced;
}

/// A row that was measured. Seconds are of one call.
struct measurement {
  setting what;
  run_report ran;
  measure::summary seconds;                ///< as the caller sees them, with all that a call of a plan takes
  std::optional<measure::summary> device;  ///< on the device alone
  std::optional<double> occupancy;         ///< theoretical, of the kernel on the device; 1: as many threads as it holds
  std::optional<double> limit;             ///< bytes a second that as many threads read from the same arrays
  std::optional<bool> same_bits;  ///< as the sequential backend's, in each sample; nothing: an order of its own
  std::optional<double> speedup;  ///< the base's median time over this one's
  std::vector<scalar> result;     ///< of a list
  std::int64_t results = 1;       ///< how many, over axes
  std::optional<std::uint64_t> bits_hash = {};  ///< of the bits of all results over axes; nothing: of a list
  bool base_noisy = false;                      ///< something disturbed the base's row, and so the speed-up

  /// Bytes over the median time.
  double gigabytes_per_second() const;
  /// Of the limit.
  std::optional<double> share() const;
};

/// What could not be measured, said once for all rows that it is true of.
struct left_out {
  std::string what;
  std::string why;
  error_code code;
};

/// All that was found out.
struct findings {
  std::vector<measurement> rows;
  std::vector<left_out> without;
  bool interrupted = false;  ///< rows are missing because of Ctrl-C
};

}  // namespace onefold::cli
