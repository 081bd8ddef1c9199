// Numbers from text: windows of a file are cut into pieces that are parsed in parallel.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "input/byte_buffer.hpp"
#include "input/key_table.hpp"
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

/// A column of a table, as the command line says it.
struct table_column {
  std::size_t place = 0;  ///< from 1; 0: it has a name
  std::string name;       ///< instead of a place, in the table's first line

  bool operator==(const table_column&) const = default;

  /// The place or the name.
  std::string label() const { return place != 0 ? std::to_string(place) : name; }
};

/// What a text holds: one number a token, or a table of which some columns are wanted.
struct text_layout {
  std::vector<table_column> columns;  ///< of a table, read as numbers; none: every token is a number
  std::optional<table_column> key;    ///< of a table: the column whose texts say which records belong together
  bool header = false;                ///< the first line holds names
  char separator = 0;                 ///< between a table's fields; a blank: runs of blanks; 0: found in its first line
  missing_rule missing = missing_rule::error;
  missing_rule nulls = missing_rule::skip;  ///< of a Parquet or Arrow file's column
  integer_rule integers = integer_rule::exact;

  /// Whether it is a table.
  bool table() const { return !columns.empty(); }
  /// All columns that are wanted: those with numbers, and after them the key's.
  std::vector<table_column> wanted() const {
    std::vector<table_column> all = columns;
    if (key) all.push_back(*key);
    return all;
  }
};

/// The option that only text has, of those that the layout was made of, or null.
inline const char* text_option(const text_layout& layout) {
  return layout.key                               ? "--by"
         : layout.table()                         ? "--column"
         : layout.header                          ? "--header"
         : layout.missing != missing_rule::error  ? "--missing"
         : layout.integers != integer_rule::exact ? "--integers"
                                                  : nullptr;
}

/// A place in a text, counted from 1.
struct text_position {
  std::size_t line = 1;
  std::size_t character = 1;
};

/// The place of `at`, a pointer into text that begins at `from`.
text_position advance(text_position from, const char* begin, const char* at);

/// The place as messages say it: "line 2, character 3".
std::string spelled(text_position at);

/// White space between tokens.
constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// A separator and what it is called.
struct named_separator {
  std::string_view name;
  char separator;
};
inline constexpr named_separator named_separators[] = {
    {"tab", '\t'}, {"comma", ','}, {"semicolon", ';'}, {"blank", ' '}};

/// A field that is wanted of each record: its place, from 1, and its number in text_layout::wanted.
struct wanted_field {
  std::size_t place, number;
};

/// What a table looks like, settled by its first line.
struct table_format {
  bool known = false;
  char separator = ' ';  ///< asked for, or the one of tab, comma and semicolon that the first line has outside quotes;
                         ///< else runs of blanks
  std::vector<wanted_field> wanted;  ///< in the order of their places, each of which is there once
  std::size_t columns = 0;  ///< that each line must have; 0 where blanks separate: there the last one may hold some

  /// How many fields a record must have at least.
  std::size_t least_columns() const { return wanted.back().place; }
};

/// The numbers of a column in a piece of text, or of all tokens.
template <class T>
struct text_elements {
  std::vector<T> values;
  std::size_t missing = 0;  ///< values that were missing, as the layout allows
};

/// What a piece of text holds: as text_columns, with numbers of its own for the keys.
template <class T>
struct text_piece {
  explicit text_piece(const text_layout& layout);

  std::vector<text_elements<T>> columns;
  std::vector<std::vector<std::uint32_t>> key_numbers;
  key_table keys;
  std::size_t missing_keys = 0;
};

/// What the texts of all files hold.
struct text_columns {
  explicit text_columns(const text_layout& layout);

  std::vector<byte_buffer> values;   ///< the elements of each column; of a text that is not a table, one
  std::vector<std::size_t> missing;  ///< values of each column
  /// The number of each value's key (u32). Of all columns together, or, where missing values are left out, so that the
  /// columns have different records, of each column; nothing without a key.
  std::vector<byte_buffer> key_numbers;
  key_table keys;
  std::size_t missing_keys = 0;

  /// Missing values and keys.
  std::size_t all_missing() const;
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

  /// Parses `text`, a complete part that follows the one before, and appends what it holds to `out`. Throws bad_data
  /// for the first thing that is not a number of the type.
  void parse(std::string_view text, text_columns& out);

  /// Throws bad_data where the text has ended too early: a table without the line that names its columns.
  void end() const;

 private:
  template <class T>
  void parse_pieces(std::string_view text, text_columns& out);
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
  table_format table_;
};

}  // namespace onefold::cli
