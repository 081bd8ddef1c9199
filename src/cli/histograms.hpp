// The histogram of an array.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "computation.hpp"
#include "onefold/histogram.hpp"

namespace onefold::cli {

/// How many elements are in each bin: a result for each, with its edges.
class histograms final : public computation {
 public:
  /// Throws failure (wrong usage), too, for bins that the library refuses.
  explicit histograms(const arguments& given);

  bool needs_c_order() const override { return false; }
  const char* phase() const override { return "counting"; }
  void accept_shape(dtype, std::span<const axis>) const override {}
  std::vector<reduced> run(const loaded_array& array, const reduced_input& from) const override;

 private:
  operation_results tried(const one& r, dtype type) const override;

  std::int64_t bins_;          ///< of equal widths, where neither ends nor edges are given
  std::vector<double> edges_;  ///< those that are, or those of equal bins between ends that are
  detail::bin_widths widths_ = detail::bin_widths::equal;
};

}  // namespace onefold::cli
