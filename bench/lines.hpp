// Scans and row operations as contenders: which lines, and what a contender of them is.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "contender.hpp"
#include "onefold/options.hpp"

namespace bench {

/// An operation with a result for each element of some lines, which are contiguous and follow each other.
struct line_work {
  std::string operation;  ///< "cumsum", of one line; or "softmax", "log_softmax", "layer_norm", "rms_norm"
  std::int64_t lines, length;
  bool unaligned = false;  ///< whether elements and results begin one element behind their array

  std::int64_t elements() const { return lines * length; }
  /// How its row of the benchmark is called: cumsum, cumsum_unaligned, softmax-1024x256-axis1.
  std::string row() const;
};

/// Scans of 2^10 to 2^26 elements, and one of an odd number; row operations on 2^18 and 2^24 elements.
std::vector<line_work> scans();
std::vector<line_work> row_operations();

/// Works on an array, with results of the elements' type.
using line_function = std::function<void(const void* data, void* results)>;

/// A contender for some lines; `prepare` makes its function for a number of threads. One that only `copies` has the
/// elements as results.
contender line_contender(const line_work& w, const char* type, const std::string& name, const std::string& flavor,
                         runtime needs, bool copies, const std::function<line_function(int threads)>& prepare);

/// This library's plans for all of these: sums at accuracies native and kahan of f32 and f64, row operations of f32,
/// f16 and bf16.
void add_onefold_lines(std::vector<contender>& list, runtime used, const onefold::options& how);

}  // namespace bench
