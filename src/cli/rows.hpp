// The row operation that a command line asks for, on the lines of an array along an axis.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "computation.hpp"

namespace onefold::cli {

/// An operation on each line: softmax, layer_norm, ...
class rows final : public computation {
 public:
  /// Reads the weight and the bias. Throws failure, each with its file's name.
  explicit rows(const arguments& given);

  bool needs_c_order() const override { return true; }
  const char* phase() const override { return "computing"; }
  void describe_lines(reduced_input& from) const override { from.along = along_; }
  void accept_shape(dtype type, std::span<const axis> axes) const override;
  std::vector<reduced> run(const loaded_array& array, const reduced_input& from) const override;

 private:
  /// A file with a number for each place along a line.
  struct parameter {
    const char* option;
    std::optional<loaded_array> file;

    std::int64_t count() const { return file ? file->count() : 0; }
    const void* data() const { return count() > 0 ? file->bytes().data() : nullptr; }
    void require_type(dtype type) const;
  };
  static parameter parameter_of(const char* option, const std::optional<std::string>& path, const arguments& given);

  operation_results tried(const one& r, dtype type) const override;
  dynamic_row_plan planned(dtype type, std::span<const axis> axes) const;

  row_operation operation_;
  int along_;
  std::optional<double> eps_;
  std::optional<mask_layout> mask_;  ///< not_nan, where NaN is skipped
  parameter weight_, bias_;
};

}  // namespace onefold::cli
