// What is said of a token that is no number.
#include "input/tokens.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "input/failure.hpp"
#include "input/with_type.hpp"

namespace onefold::cli {
namespace {

const char* kind_of(dtype type) { return is_float(type) ? "a number" : "an integer"; }

}  // namespace

std::string place_of(const char* at, const text_origin& origin) {
  const text_position there = advance(origin.position, origin.begin, at);
  return fmt::format("line {}, column {}", there.line, there.column);
}

std::string_view first_token(std::string_view text) {
  const auto* const end = std::find_if(text.begin(), text.end(), [](char c) { return is_space(c) || c == '#'; });
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

void refuse_zero(const char* at, dtype type, const text_origin& origin) {
  throw bad_data(place_of(at, origin), fmt::format("{} as text", kind_of(type)),
                 "a NUL byte (binary data is read with --dtype and --input raw)");
}

void refuse_token(std::string_view token, parsed outcome, dtype type, const text_origin& origin,
                  std::string_view hint) {
  const std::string place = place_of(token.data(), origin);
  const char* const kind = kind_of(type);
  if (outcome == parsed::out_of_range)
    throw bad_data(place, fmt::format("{} in the range of {}", kind, name_of(type)), in_quotes(token));
  const std::size_t zero = token.find('\0');
  if (zero != std::string_view::npos) refuse_zero(token.data() + zero, type, origin);
  throw bad_data(place, fmt::format("{} ({})", kind, name_of(type)),
                 (token.empty() ? "an empty field" : in_quotes(token)) + std::string(hint));
}

}  // namespace onefold::cli
