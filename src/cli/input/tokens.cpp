// What is said of a token that is not a number.
#include "input/tokens.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "input/failure.hpp"
#include "input/with_type.hpp"

namespace onefold::cli {
namespace {

const char* kind_of(dtype type) { return is_float(type) ? "a number" : "an integer"; }

/// What reads an integer that `type` cannot hold, for a message.
std::string integer_hint(std::string_view token, dtype type, bool rounds) {
  std::string hint;
  for (const dtype other : {dtype::i64, dtype::u64, dtype::f64})
    with_type(other, [&]<class T>() {
      T value{};
      if (hint.empty() && other != type && (is_float(type) || !is_float(other)) &&
          parse_number(token, value) == parsed::number && !is_rounded_integer(token, value))
        hint = fmt::format("--dtype {} holds it", name_of(other));
    });
  if (rounds) hint += hint.empty() ? "--integers round rounds it" : ", --integers round rounds it";
  return hint.empty() ? hint : " (" + hint + ")";
}

/// Whether a token in a file's first line can be a title: numbers do not begin like this.
bool looks_like_title(std::string_view token, const text_position& at) {
  return at.line == 1 && !token.empty() && std::string_view("0123456789+-.,;").find(token[0]) == std::string_view::npos;
}

}  // namespace

std::string place_of(const char* at, const text_origin& origin) {
  return spelled(advance(origin.position, origin.begin, at));
}

std::string_view first_token(std::string_view text) {
  const auto* const end = std::find_if(text.begin(), text.end(), [](char c) { return is_space(c) || c == '#'; });
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

void refuse_zero(const char* at, dtype type, const text_origin& origin) {
  throw bad_data(place_of(at, origin), fmt::format("{} as text", kind_of(type)),
                 "a NUL byte (binary data is read with --dtype and --input raw)");
}

void refuse_open_quote(const table_record& open, const text_origin& origin) {
  const char* const end = open.line.data() + open.line.size();
  throw bad_data(place_of(open.open_quote, origin),
                 fmt::format("a quote that is closed within {} bytes", longest_quoted),
                 in_quotes({open.open_quote, static_cast<std::size_t>(end - open.open_quote)}));
}

bool is_missing(std::string_view token) {
  return token.empty() || std::ranges::any_of(missing_words, [&](std::string_view word) {
           return detail::equals_ignoring_case(token, word);
         });
}

void refuse_token(std::string_view token, parsed outcome, dtype type, const text_origin& origin,
                  std::string_view hint) {
  const text_position at = advance(origin.position, origin.begin, token.data());
  const std::string place = spelled(at);
  const char* const kind = kind_of(type);
  if (outcome == parsed::rounded_integer)
    throw bad_data(place, fmt::format("an integer that {} holds exactly", name_of(type)),
                   in_quotes(token) + integer_hint(token, type, true));
  if (outcome == parsed::out_of_range)
    throw bad_data(place, fmt::format("{} in the range of {}", kind, name_of(type)),
                   in_quotes(token) + integer_hint(token, type, false));
  const std::size_t zero = token.find('\0');
  if (zero != std::string_view::npos) refuse_zero(token.data() + zero, type, origin);
  std::string found = (token.empty() ? "an empty field" : in_quotes(token)) + std::string(hint);
  if (is_missing(token))
    found += " (a missing value: --missing skip leaves it out, --missing zero counts it as 0)";
  else if (hint.empty() && looks_like_title(token, at))
    found += " (--header skips a line of names)";
  throw bad_data(place, fmt::format("{} ({})", kind, name_of(type)), found);
}

}  // namespace onefold::cli
