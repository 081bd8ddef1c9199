// Foreign text made safe to show: on one line, and with no character that a terminal or a reader would act on.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace onefold::detail {

/// A code point at the start of a text, and the bytes that it takes; length 0 where the first byte is not UTF-8.
struct code_point {
  std::uint32_t value;
  std::size_t length;
};

/// Decodes as the Unicode standard says (table 3-7): no overlong form, no surrogate, nothing above U+10FFFF.
constexpr code_point first_code_point(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return {0, 0};
  std::uint32_t value = first & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {0, 0};
    value = value << 6 | (byte(i) & 0x3fu);
  }
  constexpr std::array<std::uint32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  if (value < least[length] || (value >= 0xd800 && value < 0xe000) || value > 0x10ffff) return {0, 0};
  return {value, length};
}

/// How many characters a text in UTF-8 has: the bytes that continue one do not count.
constexpr std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

/// Whether a terminal obeys it, or it hides or reorders text: C0, DEL, C1, line and paragraph separators, the
/// characters that direct bidirectional text ("Trojan Source", CVE-2021-42574), and those that are not seen at all:
/// soft hyphen, zero-width spaces and joiners, invisible operators, byte-order mark, tags.
constexpr bool is_unsafe(std::uint32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c || (c >= 0x200b && c <= 0x200f) ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xe0000 && c <= 0xe007f);
}

/// What a text is, which decides what escape leaves alone.
enum class escaped : unsigned char {
  lines,    ///< output: line ends and backslashes stay
  message,  ///< one line, whose foreign parts are escaped already: backslashes stay
  foreign,  ///< a name or a word: a backslash is doubled, so that what is escaped can be told from what was typed
};

/// Calls append(piece) for the pieces of the text in which unsafe characters and bytes that are not UTF-8 are spelled
/// out: \xNN for a byte, \uNNNN or \UNNNNNNNN for a character beyond ASCII. Allocates nothing.
template <class Append>
constexpr void escape(std::string_view text, escaped kind, Append append) {
  constexpr char digit[] = "0123456789abcdef";
  std::size_t safe = 0;  // bytes that were looked at and can stay
  while (safe < text.size()) {
    const auto [c, length] = first_code_point(text.substr(safe));
    const bool doubled = kind == escaped::foreign && c == '\\';
    if (length != 0 && !doubled && (!is_unsafe(c) || (kind == escaped::lines && c == '\n'))) {
      safe += length;
      continue;
    }
    append(text.substr(0, safe));
    const std::uint32_t shown = length != 0 ? c : static_cast<unsigned char>(text[safe]);
    const std::size_t digits = length < 2 ? 2 : shown <= 0xffff ? 4 : 8;
    char spelled[10] = {'\\', doubled ? '\\' : digits == 2 ? 'x' : digits == 4 ? 'u' : 'U'};
    for (std::size_t i = 0; i < digits; ++i) spelled[2 + i] = digit[shown >> 4 * (digits - 1 - i) & 15];
    append(std::string_view(spelled, doubled ? 2 : 2 + digits));
    text.remove_prefix(safe + (length != 0 ? length : 1));
    safe = 0;
  }
  append(text);
}

/// A foreign name or word on one line, escaped: once, where it enters a message.
inline std::string spelled_out(std::string_view text) {
  std::string line;
  escape(text, escaped::foreign, [&](std::string_view piece) { line += piece; });
  return line;
}

/// A text on one line, made safe; what is escaped already stays as it is.
inline std::string one_line(std::string_view text) {
  std::string line;
  escape(text, escaped::message, [&](std::string_view piece) { line += piece; });
  return line;
}

/// The text escaped but for its line ends.
inline std::string safe_lines(std::string_view text) {
  std::string lines;
  escape(text, escaped::lines, [&](std::string_view piece) { lines += piece; });
  return lines;
}

}  // namespace onefold::detail
