// The statistics outside the catalog, of an array or of the columns of a table.
#pragma once

#include <vector>

#include "computation.hpp"

namespace onefold::cli {

/// Skewness, means of other kinds and the like, each as an operation's result.
class statistics final : public column_computation {
 public:
  explicit statistics(const arguments& given);

  const char* phase() const override { return "reducing"; }

 private:
  operation_results tried(const one& r, dtype type) const override;
  std::vector<reduced> run_column(const loaded_array& array, std::size_t column) const override;
};

}  // namespace onefold::cli
