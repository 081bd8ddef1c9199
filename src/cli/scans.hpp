// The scans that a command line asks for: of the lines of an array along an axis, or of all its elements.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "computation.hpp"

namespace onefold::cli {

/// Operations whose every prefix is reduced.
class scans final : public computation {
 public:
  /// Throws failure (wrong usage), too, where the first result of an exclusive scan would have no value.
  explicit scans(const arguments& given);

  bool needs_c_order() const override { return true; }
  const char* phase() const override { return "scanning"; }
  void describe_lines(reduced_input& from) const override;
  void accept_shape(dtype type, std::span<const axis> axes) const override;
  std::vector<reduced> run(const loaded_array& array, const reduced_input& from) const override;

 private:
  operation_results tried(const one& r, dtype type) const override;
  dynamic_scan_plan planned(const one& r, dtype type, std::span<const axis> axes) const;

  std::optional<int> along_;
  scan_kind kind_;
};

}  // namespace onefold::cli
