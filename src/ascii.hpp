// Words of people: compared without regard to case, and quoted.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "one_line.hpp"

namespace onefold::detail {

/// The letter in lower case; ASCII only.
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Whether the words are the same but for their case.
constexpr bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower, lower);
}

/// The text for messages: in quotes, escaped, shortened to its first code points of at most 40 bytes together.
inline std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 40;
  const bool cut = text.size() > longest;
  std::size_t size = cut ? 0 : text.size();
  while (cut) {
    const std::size_t next = size + std::max<std::size_t>(1, first_code_point(text.substr(size)).length);
    if (next > longest) break;
    size = next;
  }
  std::string quoted = "\"";
  quoted += spelled_out(text.substr(0, size));
  return quoted += cut ? "...\"" : "\"";
}

}  // namespace onefold::detail
