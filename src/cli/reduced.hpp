// A result as text or JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "input/load.hpp"
#include "onefold/dynamic.hpp"

namespace onefold::cli {

/// All that there is to say of one reduction.
struct reduced {
  std::string operation;
  dtype element;
  std::int64_t count;
  dynamic_result result;
  double seconds;       ///< of the reduction alone
  double read_seconds;  ///< of reading before it: opening, parsing, gathering
  std::vector<input_note> inputs;
  std::optional<std::int64_t> missing = {};  ///< values, where --missing allows them

  /// Input bytes a second, in GB/s.
  double gigabytes_per_second() const;
};

/// The number alone, or one line "name number" for each member; with `explain` followed by who ran, and why.
std::string as_text(const reduced& r, bool explain);

/// One JSON object on one line; with `explain` also the inputs and the reason for the choice.
std::string as_json(const reduced& r, bool explain);

}  // namespace onefold::cli
