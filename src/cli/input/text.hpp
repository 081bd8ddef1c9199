// Numbers from text: windows of a file are cut into pieces that are parsed in parallel.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "input/byte_buffer.hpp"
#include "onefold/types.hpp"

namespace onefold::cli {

/// What a text holds: one number a token, or a table of which one column is wanted.
struct text_layout {
  std::size_t column = 0;   ///< 1 and up: the column of a table; 0: every token is a number
  std::string column_name;  ///< instead of a place, a name in the table's first line
  bool header = false;      ///< the table's first line holds names
  char separator = 0;       ///< between a table's fields; a blank: runs of blanks; 0: found in its first line

  /// Whether it is a table.
  bool table() const { return column != 0 || !column_name.empty(); }
};

/// A place in a text, counted from 1; columns are bytes.
struct text_position {
  std::size_t line = 1;
  std::size_t column = 1;
};

/// The place of `at`, a pointer into text that begins at `from`.
text_position advance(text_position from, const char* begin, const char* at);

/// White space between tokens.
constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// A separator and what it is called.
struct named_separator {
  std::string_view name;
  char separator;
};
inline constexpr named_separator named_separators[] = {
    {"tab", '\t'}, {"comma", ','}, {"semicolon", ';'}, {"blank", ' '}};

/// What a table looks like, settled by its first line.
struct table_format {
  bool known = false;
  char separator = ' ';  ///< asked for, or the one of tab, comma and semicolon that the first line has outside quotes;
                         ///< else runs of blanks
  std::size_t column = 0;   ///< from 1
  std::size_t columns = 0;  ///< that each line must have; 0 where blanks separate: there the last one may hold some
};

/// Reads one text, window by window.
class text_reader {
 public:
  /// Numbers become elements of `type`; at most `threads` threads parse.
  text_reader(dtype type, text_layout layout, int threads);

  /// The length of the part of `text` that can be parsed without what follows: up to the last white space, in a table
  /// up to the last line end; 0 if there is none.
  std::size_t complete(std::string_view text) const;

  /// Parses `text`, a complete part that follows the one before, and appends the elements to `out`. Throws bad_data
  /// for the first thing that is no number of the type.
  void parse(std::string_view text, byte_buffer& out);

  /// Throws bad_data where the text has ended too early: a table without the line that names its columns.
  void end() const;

 private:
  template <class T>
  void parse_pieces(std::string_view text, byte_buffer& out);
  std::size_t begin_table(std::string_view text);

  dtype type_;
  text_layout layout_;
  int threads_;
  text_position position_;
  bool at_start_ = true;
  bool in_comment_ = false;
  table_format table_;
};

}  // namespace onefold::cli
