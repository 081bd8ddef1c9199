// The fields of a row, for programs: one list for JSON and CSV.
#pragma once

#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/axes.hpp"
#include "bench/row.hpp"

namespace onefold::cli {

/// Name and value of each field, in the same order for every row; null where there is nothing.
std::vector<std::pair<const char*, nlohmann::ordered_json>> fields_of(const measurement& m, const axes& a);

}  // namespace onefold::cli
