// The reductions that a command line asks for, of an array or of the columns of a table.
#pragma once

#include <span>
#include <vector>

#include "computation.hpp"
#include "onefold/numbered_groups.hpp"

namespace onefold::cli {

/// Operations with the axes or the keys that go with them.
class reductions final : public computation {
 public:
  explicit reductions(const arguments& given);

  /// Whether a result is a position in the array.
  bool needs_c_order() const override;
  const char* phase() const override { return "reducing"; }
  void accept_shape(dtype type, std::span<const axis> axes) const override;
  std::vector<reduced> run(const loaded_array& array, const reduced_input& from) const override;

 private:
  operation_results tried(const one& r, dtype type) const override;
  std::vector<axis> planned_axes(const one& r, std::span<const axis> axes) const;
  dynamic_shaped_plan planned(const one& r, dtype type, std::span<const axis> axes) const;
  bool shares_pass(std::span<const axis> axes) const;
  reduced run_column(const one& r, const loaded_array& array, std::size_t column) const;
  reduced run_groups(const one& r, dtype type, std::span<const std::byte> values, const numbered_groups& groups) const;
  void reduce_columns(const loaded_array& array, const reduced_input& from, std::vector<reduced>& all) const;
  void reduce_by_key(const loaded_array& array, const reduced_input& from, std::vector<reduced>& all) const;

  over along_;
  bool by_key_;
  bool skips_nan_;
  bool takes_init_;
};

}  // namespace onefold::cli
