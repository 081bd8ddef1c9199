// What a laboratory examines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "onefold/types.hpp"

namespace onefold::cli {

/// What an array is.
struct specimen {
  std::string name;  ///< of the data set, or of the files
  dtype type;
  std::int64_t count;
  std::optional<std::uint64_t> seed = {};    ///< of a data set
  std::optional<double> asked = {};          ///< the condition number that was asked for
  std::optional<std::int64_t> missing = {};  ///< values of files, where --missing allows them
  std::optional<std::int64_t> line = {};     ///< extent of the last axis, where a file has several
};

}  // namespace onefold::cli
