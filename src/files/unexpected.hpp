// The error for a file that is not what it should be.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "onefold/error.hpp"

namespace onefold::detail {

/// Where in the file, what was expected, and what is there. Readers leave the file's name to their caller.
inline error unexpected(std::uint64_t byte_offset, std::string_view expected, std::string_view found) {
  std::string text = "byte offset " + std::to_string(byte_offset);
  text.append(": expected ").append(expected).append(", found ").append(found);
  return {error_code::invalid_argument, text};
}

}  // namespace onefold::detail
