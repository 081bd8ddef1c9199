// The quantiles of an array, or of the columns of a table.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "computation.hpp"
#include "onefold/quantile.hpp"

namespace onefold::cli {

/// The median, or other quantiles, each as an operation's result.
class quantiles final : public computation {
 public:
  explicit quantiles(const arguments& given);

  bool needs_c_order() const override { return false; }
  const char* phase() const override { return "selecting"; }
  void accept_shape(dtype, std::span<const axis>) const override {}
  std::vector<reduced> run(const loaded_array& array, const reduced_input& from) const override;

 private:
  operation_results tried(const one& r, dtype type) const override;
  std::vector<reduced> run_column(const loaded_array& array, std::size_t column) const;

  std::vector<double> at_;
  std::vector<std::string> names_;  ///< of results
  quantile_method method_;
  bool skips_nan_;
};

}  // namespace onefold::cli
