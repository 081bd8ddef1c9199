// The statistics of an array, or of the columns of a table.
#pragma once

#include <vector>

#include "computation.hpp"

namespace onefold::cli {

/// The counts, the sum, the mean, the extremes and the variances, each as an operation's result.
class summaries final : public column_computation {
 public:
  explicit summaries(const arguments& given);

  const char* phase() const override { return "reducing"; }

 private:
  operation_results tried(const one& r, dtype type) const override;
  std::vector<reduced> run_column(const loaded_array& array, std::size_t column) const override;
};

}  // namespace onefold::cli
