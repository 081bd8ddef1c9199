// A piece of text as numbers between white space, with # comments.
#pragma once

#include <string>
#include <string_view>

#include "input/number.hpp"
#include "input/text.hpp"

namespace onefold::cli {

/// Where a window of text begins: in memory and in the file.
struct text_origin {
  const char* begin;
  text_position position;
};

/// The line and the character of `at`, for messages.
std::string place_of(const char* at, const text_origin& origin);

/// Throws bad_data for the token: what it should be, where it stands and what it is, with a hint after it.
[[noreturn]] void refuse_token(std::string_view token, parsed outcome, dtype type, const text_origin& origin,
                               std::string_view hint = "");

/// The words for a missing value, in any case; an empty field is one, too. NaN is a number.
inline constexpr std::string_view missing_words[] = {"NA", "N/A", "<NA>", "null", "None", "\\N"};

/// Whether a token or a field stands for a missing value.
bool is_missing(std::string_view token);

/// Reads `token` as an element, as the layout says. Calls refuse(outcome), which throws, where it is not one.
template <class T, class Refuse>
void add_element(std::string_view token, const text_layout& layout, text_elements<T>& out, Refuse refuse) {
  T value{};
  parsed outcome = parse_number(token, value);
  if (outcome == parsed::number && layout.integers == integer_rule::exact && may_be_rounded(value) &&
      is_rounded_integer(token, value))
    outcome = parsed::rounded_integer;
  if (outcome == parsed::not_a_number && layout.missing != missing_rule::error && is_missing(token)) {
    ++out.missing;
    if (layout.missing == missing_rule::skip) return;
  } else if (outcome != parsed::number) {
    refuse(outcome);
  }
  out.values.push_back(value);
}

/// Throws bad_data for a NUL byte.
[[noreturn]] void refuse_zero(const char* at, dtype type, const text_origin& origin);

/// Throws bad_data for a record whose quote is not closed.
[[noreturn]] void refuse_open_quote(const table_record& open, const text_origin& origin);

/// The token at the start of `text`, which is not empty: up to white space or a comment.
std::string_view first_token(std::string_view text);

/// Appends the numbers of `text`; returns whether it ends inside a comment.
template <class T>
bool parse_tokens(std::string_view text, bool in_comment, const text_origin& origin, const text_layout& layout,
                  text_elements<T>& out) {
  const char* at = text.data();
  const char* const last = at + text.size();
  const auto ends = [](char c) { return is_space(c) || c == '#'; };
  out.values.reserve(text.size() / 8);
  for (;;) {
    if (in_comment) {
      while (at != last && *at != '\n') ++at;
      if (at == last) return true;
      in_comment = false;
    }
    while (at != last && is_space(*at)) ++at;
    if (at == last) return false;
    if (*at == '#') {
      in_comment = true;
      continue;
    }
    T value{};
    if (const char* after = parse_common(at, last, value, ends)) {
      at = after;
      out.values.push_back(value);
    } else {
      const std::string_view token = first_token({at, static_cast<std::size_t>(last - at)});
      add_element(token, layout, out, [&](parsed outcome) {
        refuse_token(token, outcome, dtype_of<T>, origin,
                     token.find_first_of(",;\"") != std::string_view::npos ? " (a table is read with --column)" : "");
      });
      at += token.size();
    }
  }
}

}  // namespace onefold::cli
