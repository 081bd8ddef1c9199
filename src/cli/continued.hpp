// A reduction of all elements that goes on where a partial ends, or whose partial is saved.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "onefold/dynamic_partial.hpp"
#include "reductions.hpp"

namespace onefold::cli {

/// Whether the command line has an option for partials.
bool concerns_partials(const arguments& given);

/// What --partial, --begin and --save-partial ask for.
class continued_reduction final : public reductions {
 public:
  /// Throws failure where one of the other options does not go with them, and as load_partial does.
  explicit continued_reduction(const arguments& given);

  /// That of the partial's elements.
  std::optional<dtype> type_if_unsaid() const override;
  void accept_shape(dtype type, std::span<const axis> axes) const override;
  /// The result, if it has one: none where elements before those of the partial are missing. Saves the partial. Throws
  /// failure (interrupted), with where to continue, after it saved that of an array whose reading was interrupted.
  std::vector<reduced> run(const loaded_array& array, const reduced_input& from) const override;

 private:
  operation_results tried(const one& r, dtype type) const override;
  dynamic_accumulator begun(const one& r, dtype type) const override;

  std::optional<dynamic_partial> before_;
  std::string before_name_;
  std::int64_t begin_ = 0;
  std::optional<std::string> save_to_;
};

}  // namespace onefold::cli
