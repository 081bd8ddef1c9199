// The reductions that a command line asks for, of an array or of the columns of a table.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "input/load.hpp"
#include "onefold/numbered_groups.hpp"
#include "reduced.hpp"

namespace onefold::cli {

/// Operations with the options, the axes or the keys that go with them.
class reductions {
 public:
  explicit reductions(const arguments& given);

  /// Threads that were asked for, or 0.
  int threads() const { return list_.front().how.threads; }

  /// Whether a result is a position in the array.
  bool any_counts_positions() const;

  /// Refuses, as the library does, what cannot be done with elements of a type, before a long file is read. Returns
  /// what the results of each operation look like.
  std::vector<operation_results> accept(dtype type);
  /// The same for axes.
  void accept_shape(dtype type, std::span<const axis> axes) const;

  /// The extents of an array whose axes matter.
  std::vector<std::int64_t> shape_of(const loaded_array& array) const;

  /// Reduces each column by each operation. Throws onefold::error: of a table, with the column's name, and the key's
  /// where it has no value.
  std::vector<reduced> run(const loaded_array& array, const reduced_input& from) const;

 private:
  struct one {
    int operation;
    options how;
  };

  std::vector<axis> planned_axes(const one& r, std::span<const axis> axes) const;
  dynamic_shaped_plan planned(const one& r, dtype type, std::span<const axis> axes) const;
  reduced run_column(const one& r, const loaded_array& array, std::size_t column) const;
  reduced run_groups(const one& r, dtype type, std::span<const std::byte> values, const numbered_groups& groups) const;
  void reduce_columns(const loaded_array& array, const reduced_input& from, std::vector<reduced>& all) const;
  void reduce_by_key(const loaded_array& array, const reduced_input& from, std::vector<reduced>& all) const;

  over along_;
  bool keeps_shape_;
  bool by_key_;
  bool skips_nan_;
  std::optional<dtype> result_;
  std::optional<std::string> init_;
  std::vector<one> list_;
};

}  // namespace onefold::cli
