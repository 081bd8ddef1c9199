// The reductions that a command line asks for, of an array or of the columns of a table.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "computation.hpp"
#include "onefold/dynamic_partial.hpp"
#include "onefold/numbered_groups.hpp"

namespace onefold::cli {

/// Operations with the axes or the keys that go with them. Over a list of elements they take pieces: accumulators fold
/// them while the next ones are read.
class reductions : public computation {
 public:
  explicit reductions(const arguments& given);

  /// Not on an accelerator, which folds what is in memory, nor positions in C order of what is stored in another one;
  /// of a mapped file one operation does, for several read what is mapped in one pass.
  bool takes_pieces(dtype type, std::span<const axis> axes, bool mapped) override;
  void take(const void* elements, std::int64_t n) override {
    for (dynamic_accumulator& a : all_) a.push(elements, n);
  }

  /// Whether a result is a position in the array.
  bool needs_c_order() const override;
  const char* phase() const override { return "reducing"; }
  void accept_shape(dtype type, std::span<const axis> axes) const override;
  std::vector<reduced> run(const loaded_array& array, const reduced_input& from) const override;

 protected:
  operation_results tried(const one& r, dtype type) const override;
  /// An operation's accumulator, before the first piece.
  virtual dynamic_accumulator begun(const one& r, dtype type) const;
  /// What the first operation took in pieces.
  const dynamic_accumulator& all() const { return all_.front(); }
  bool takes_init() const { return takes_init_; }

 private:
  bool takes_list(const one& r, std::span<const axis> axes) const;
  std::vector<axis> planned_axes(const one& r, std::span<const axis> axes) const;
  dynamic_shaped_plan planned(const one& r, dtype type, std::span<const axis> axes) const;
  bool shares_pass(std::span<const axis> axes) const;
  reduced run_column(const one& r, const loaded_array& array, std::size_t column) const;
  reduced run_groups(const one& r, dtype type, std::span<const std::byte> values, const numbered_groups& groups) const;
  void reduce_columns(const loaded_array& array, const reduced_input& from, std::vector<reduced>& all) const;
  void reduce_by_key(const loaded_array& array, const reduced_input& from, std::vector<reduced>& all) const;

  bool over_axes_;  ///< else one result of all elements
  over along_;
  bool by_key_;
  bool skips_nan_;
  bool takes_init_;
  std::vector<dynamic_accumulator> all_;  ///< of elements that are taken in pieces, one for each operation
};

}  // namespace onefold::cli
