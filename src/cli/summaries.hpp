// The statistics of an array, or of the columns of a table.
#pragma once

#include <span>
#include <vector>

#include "computation.hpp"

namespace onefold::cli {

/// The counts, the sum, the mean, the extremes and the variances, each as an operation's result.
class summaries final : public computation {
 public:
  explicit summaries(const arguments& given);

  bool needs_c_order() const override { return false; }
  const char* phase() const override { return "reducing"; }
  void accept_shape(dtype, std::span<const axis>) const override {}
  std::vector<reduced> run(const loaded_array& array, const reduced_input& from) const override;

 private:
  operation_results tried(const one& r, dtype type) const override;
  std::vector<reduced> run_column(const loaded_array& array, std::size_t column) const;

  bool skips_nan_;
};

}  // namespace onefold::cli
