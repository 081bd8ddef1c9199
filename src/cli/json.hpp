// JSON on one line, whatever bytes a file's name has and whatever a number is.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "onefold/dynamic.hpp"

namespace onefold::cli {

/// The value and a line end. Bytes that are not UTF-8 are replaced: JSON cannot carry them.
std::string json_line(const nlohmann::ordered_json& value);

/// The number so that it reads back to the same bits; inf and nan, for which JSON has no word, as strings.
nlohmann::ordered_json json_number(const scalar& s);
nlohmann::ordered_json json_number(double x);

}  // namespace onefold::cli
