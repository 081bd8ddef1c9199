// A table's records: lines, and quoted fields that go on over line breaks (RFC 4180).
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace onefold::cli {

/// One record of a table.
struct table_record {
  std::string_view line;             ///< all of it, without the line break that ends it
  std::string_view content;          ///< the line without its comment
  std::size_t size = 0;              ///< with the line break
  const char* open_quote = nullptr;  ///< a quote that is not closed; then the record is all that is left of the text
  bool complete = false;             ///< text that follows cannot change it
};

/// A quoted field is at most as long as this: a quote without a partner must not take the rest of a large file.
inline constexpr std::size_t longest_quoted = std::size_t{1} << 20;

/// Instead of a separator: the ones that a table's first record may turn out to have, or none.
inline constexpr char any_separator = 0, no_separator = '\n';

/// Whether `c` stands between fields. Runs of blanks may be tabs, too.
constexpr bool separates(char c, char separator) {
  if (separator == any_separator) return c == '\t' || c == ',' || c == ';' || c == ' ';
  return c == separator || (separator == ' ' && c == '\t');
}

/// Takes records off the front of a text, which begins with one. A quote opens where a field begins: at the record's
/// start and after each separator, with blanks between.
class record_walk {
 public:
  record_walk(std::string_view text, char separator);
  /// The next record, or nothing after the last one.
  std::optional<table_record> next();

 private:
  table_record quoted_record() const;

  std::string_view rest_;
  char separator_;
  const char* quote_;  ///< the first quote of the rest, or the text's end
};

/// The end of the first record of `text` that ends after `least` bytes.
std::size_t record_end(std::string_view text, std::size_t least, char separator);

/// The end of the last complete record of `text`; 0 if there is none.
std::size_t last_record_end(std::string_view text, char separator);

/// The quote that closes the one at `open`, or npos; a doubled one stands for itself.
inline std::size_t closing_quote(std::string_view text, std::size_t open) {
  const std::string_view within = text.substr(0, open + longest_quoted);
  std::size_t close = within.find('"', open + 1);
  while (close != std::string_view::npos && close + 1 < text.size() && text[close + 1] == '"')
    close = within.find('"', close + 2);
  return close;
}

/// The first character outside quotes for which `stop`, called with its index, says true; the text's size where there
/// is none; npos where the quote at `open` is not closed.
template <class Stop>
std::size_t find_unquoted(std::string_view text, char separator, std::size_t& open, Stop stop) {
  bool begins = true;  // a field
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' && begins) {
      open = i;
      i = closing_quote(text, i);
      if (i == std::string_view::npos) return i;
      begins = false;
      continue;
    }
    if (stop(i)) return i;
    begins = separates(c, separator) || (begins && (c == ' ' || c == '\t'));
  }
  return text.size();
}

}  // namespace onefold::cli
