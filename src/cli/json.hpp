// JSON on one line, whatever bytes a file's name has.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace onefold::cli {

/// The value and a line end. Bytes that are not UTF-8 are replaced: JSON cannot carry them.
inline std::string json_line(const nlohmann::ordered_json& value) {
  return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace onefold::cli
