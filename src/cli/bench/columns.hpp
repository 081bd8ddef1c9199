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

/// The fields "shape" and "axes": null where a list is reduced, and where all axes are.
nlohmann::ordered_json shape_field(const std::vector<std::int64_t>& shape);
nlohmann::ordered_json axes_field(const std::vector<int>& reduced);

}  // namespace onefold::cli
