// Words of people: compared without regard to case, and quoted.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace onefold::detail {

/// The letter in lower case; ASCII only.
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Whether the words are the same but for their case.
constexpr bool same_word(std::string_view a, std::string_view b) { return std::ranges::equal(a, b, {}, lower, lower); }

/// The text for messages: in quotes, in ASCII (other bytes become \xNN), shortened to 40 bytes.
inline std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 40;
  constexpr char digit[] = "0123456789abcdef";
  std::string line = "\"";
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f)
      line += c;
    else
      line.append("\\x").append({digit[byte >> 4], digit[byte & 15]});
  }
  return line + (text.size() > longest ? "...\"" : "\"");
}

}  // namespace onefold::detail
