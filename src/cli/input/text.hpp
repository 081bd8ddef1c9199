// Numbers from text: windows of a file are cut into pieces that are parsed in parallel.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "input/byte_buffer.hpp"
#include "input/record.hpp"
#include "onefold/types.hpp"

namespace onefold::cli {

/// What is done with a missing value: an empty field, or a word for one.
enum class missing_rule : unsigned char { error, skip, zero };

/// What is done with an integer that a floating-point type cannot hold.
enum class integer_rule : unsigned char { exact, round };

/// The names of the rules, in their order.
inline constexpr std::string_view missing_rule_names[] = {"error", "skip", "zero"};
inline constexpr std::string_view integer_rule_names[] = {"exact", "round"};

/// What a text holds: one number a token, or a table of which one column is wanted.
struct text_layout {
  std::size_t column = 0;   ///< 1 and up: the column of a table; 0: every token is a number
  std::string column_name;  ///< instead of a place, a name in the table's first line
  bool header = false;      ///< the first line holds names
  char separator = 0;       ///< between a table's fields; a blank: runs of blanks; 0: found in its first line
  missing_rule missing = missing_rule::error;
  integer_rule integers = integer_rule::exact;

  /// Whether it is a table.
  bool table() const { return column != 0 || !column_name.empty(); }
};

/// The option that only text has, of those that the layout was made of, or null.
inline const char* text_option(const text_layout& layout) {
  return layout.table()                           ? "--column"
         : layout.header                          ? "--header"
         : layout.missing != missing_rule::error  ? "--missing"
         : layout.integers != integer_rule::exact ? "--integers"
                                                  : nullptr;
}

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

/// What a piece of text holds.
template <class T>
struct text_elements {
  std::vector<T> values;
  std::size_t missing = 0;  ///< values that were missing, as the layout allows
};

/// Reads one text, window by window.
class text_reader {
 public:
  /// Numbers become elements of `type`; at most `threads` threads parse.
  text_reader(dtype type, text_layout layout, int threads);

  /// The length of the part of `text`, which follows what was parsed, that can be parsed without what follows: up to
  /// the last white space, in a table up to the end of a record; 0 if there is none. The line with names, and a table's
  /// first record, are a part of their own.
  std::size_t complete(std::string_view text);

  /// Parses `text`, a complete part that follows the one before, and appends the elements to `out`. Throws bad_data
  /// for the first thing that is not a number of the type.
  void parse(std::string_view text, byte_buffer& out);

  /// Throws bad_data where the text has ended too early: a table without the line that names its columns.
  void end() const;

  /// The missing values so far.
  std::size_t missing() const { return missing_; }

 private:
  template <class T>
  void parse_pieces(std::string_view text, byte_buffer& out);
  bool at_first_record() const;
  table_record first_record(std::string_view text, bool all);
  std::size_t begin(std::string_view text);

  dtype type_;
  text_layout layout_;
  int threads_;
  text_position position_;
  bool at_start_ = true;
  bool in_comment_ = false;
  bool has_begun_ = false;  ///< the first record is parsed
  char separator_;          ///< of a table, settled by its first record; before that 0, unless it is asked for
  std::size_t missing_ = 0;
  table_format table_;
};

}  // namespace onefold::cli
