// Words of people: compared without regard to case.
#pragma once

#include <algorithm>
#include <string_view>

namespace onefold::detail {

/// The letter in lower case; ASCII only.
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Whether the words are the same but for their case.
constexpr bool same_word(std::string_view a, std::string_view b) { return std::ranges::equal(a, b, {}, lower, lower); }

}  // namespace onefold::detail
