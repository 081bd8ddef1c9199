// The two kinds of failures that most messages are.
#include "input/failure.hpp"

#include <fmt/format.h>

namespace onefold::cli {

failure bad_data(std::string_view place, std::string_view expected, std::string_view found) {
  return {exit_code::bad_data, fmt::format("{}: expected {}, found {}", place, expected, found)};
}

failure unusable(std::string_view option, std::string_view expected, std::string_view word) {
  return {exit_code::wrong_usage, fmt::format("{}: expected {}, found {}", option, expected, in_quotes(word))};
}

}  // namespace onefold::cli
