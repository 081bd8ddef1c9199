// What is said of a token that is no number.
#include "input/tokens.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "input/failure.hpp"
#include "input/with_type.hpp"

namespace onefold::cli {

std::string_view first_token(std::string_view text) {
  const auto* const end = std::find_if(text.begin(), text.end(), [](char c) { return is_space(c) || c == '#'; });
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

void refuse_token(std::string_view token, parsed outcome, dtype type, const text_origin& origin) {
  const text_position at = advance(origin.position, origin.begin, token.data());
  const std::string place = fmt::format("line {}, column {}", at.line, at.column);
  const char* const kind = is_float(type) ? "a number" : "an integer";
  if (outcome == parsed::out_of_range)
    throw bad_data(place, fmt::format("{} in the range of {}", kind, name_of(type)), in_quotes(token));
  const std::size_t zero = token.find('\0');
  if (zero != std::string_view::npos) {
    const text_position there = advance(origin.position, origin.begin, token.data() + zero);
    throw bad_data(fmt::format("line {}, column {}", there.line, there.column), fmt::format("{} as text", kind),
                   "a NUL byte (binary data is read with --dtype and --input raw)");
  }
  const bool hint = token.find_first_of(",;") != std::string_view::npos;
  throw bad_data(
      place, fmt::format("{} ({})", kind, name_of(type)),
      token.empty() ? "an empty field" : in_quotes(token) + (hint ? " (a table is read with --column)" : ""));
}

}  // namespace onefold::cli
