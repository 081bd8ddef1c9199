// Messages on one line, whatever bytes they quote.
#include "input/failure.hpp"

#include <fmt/format.h>

namespace onefold::cli {

failure bad_data(std::string_view place, std::string_view expected, std::string_view found) {
  return {exit_code::bad_data, fmt::format("{}: expected {}, found {}", place, expected, found)};
}

failure unusable(std::string_view option, std::string_view expected, std::string_view word) {
  return {exit_code::wrong_usage, fmt::format("{}: expected {}, found {}", option, expected, in_quotes(word))};
}

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f)
      line += fmt::format("\\x{:02x}", byte);
    else
      line += c;
  }
  return line;
}

}  // namespace onefold::cli
