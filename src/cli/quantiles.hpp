// The quantiles of an array, or of the columns of a table.
#pragma once

#include <string>
#include <vector>

#include "computation.hpp"
#include "onefold/quantile.hpp"

namespace onefold::cli {

/// The median, or other quantiles, each as an operation's result.
class quantiles final : public column_computation {
 public:
  explicit quantiles(const arguments& given);

  const char* phase() const override { return "selecting"; }

 private:
  operation_results tried(const one& r, dtype type) const override;
  std::vector<reduced> run_column(const loaded_array& array, std::size_t column) const override;

  std::vector<double> at_;
  std::vector<std::string> names_;  ///< of results
  quantile_method method_;
};

}  // namespace onefold::cli
