// A piece of text as numbers between white space, with # comments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "input/number.hpp"
#include "input/text.hpp"

namespace onefold::cli {

/// Where a window of text begins: in memory and in the file.
struct text_origin {
  const char* begin;
  text_position position;
};

/// The line and the column of `at`, for messages.
std::string place_of(const char* at, const text_origin& origin);

/// Throws bad_data for the token: what it should be, where it stands and what it is, with a hint behind it.
[[noreturn]] void refuse_token(std::string_view token, parsed outcome, dtype type, const text_origin& origin,
                               std::string_view hint = "");

/// Throws bad_data for a NUL byte.
[[noreturn]] void refuse_zero(const char* at, dtype type, const text_origin& origin);

/// The token at the start of `text`, which is not empty: up to white space or a comment.
std::string_view first_token(std::string_view text);

/// Appends the numbers of `text`; returns whether it ends inside a comment.
template <class T>
bool parse_tokens(std::string_view text, bool in_comment, const text_origin& origin, std::vector<T>& values) {
  const char* at = text.data();
  const char* const last = at + text.size();
  const auto ends = [](char c) { return is_space(c) || c == '#'; };
  values.reserve(values.size() + text.size() / 8);
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
    if (const char* behind = parse_common(at, last, value, ends)) {
      at = behind;
    } else {
      const std::string_view token = first_token({at, static_cast<std::size_t>(last - at)});
      if (const parsed outcome = parse_number(token, value); outcome != parsed::number)
        refuse_token(token, outcome, dtype_of<T>, origin,
                     token.find_first_of(",;") != std::string_view::npos ? " (a table is read with --column)" : "");
      at += token.size();
    }
    values.push_back(value);
  }
}

}  // namespace onefold::cli
