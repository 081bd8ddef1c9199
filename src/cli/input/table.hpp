// A piece of text as records of a table, of which some columns are read.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "input/failure.hpp"
#include "input/number.hpp"
#include "input/record.hpp"
#include "input/text.hpp"
#include "input/tokens.hpp"

namespace onefold::cli {

/// The content of a record without the blanks around it; empty where it is blank. Tabs are fields, not blanks, where
/// they may separate.
std::string_view content_of(const table_record& r, char separator);

/// The separator that the content of a table's first record has: the first one outside quotes, or a blank.
char likely_separator(std::string_view content);

/// The failure (wrong usage) for an option that lists a column twice, in the same words or in others.
failure same_column(std::string_view option, const table_column& a, const table_column& b);

/// Settles what the layout leaves open from a table's first record, whose content is `line`. Throws bad_data if the
/// separator is not clear, or not just one field has a name asked for; wrong usage if two columns are the same one.
table_format look_at_first_line(std::string_view line, const text_layout& layout, char separator,
                                const text_origin& origin);

/// A field of a record, without its quotes and the blanks outside of them; those inside belong to it.
struct table_field {
  std::string_view text;
  bool quoted;  ///< it stood in quotes, where a quote is doubled

  /// The text as a number: without blanks inside of the quotes, too.
  std::string_view token() const;
  /// The text with its quotes single; in `room` where that differs.
  std::string_view plain(std::string& room) const;
};

/// The fields that are wanted of the content of a record, which is not empty, each at its number in `out`. Throws
/// bad_data if there are too few fields, or another number of them than in the first record.
void read_fields(std::string_view content, std::string_view line, const table_format& format, const text_origin& origin,
                 std::vector<table_field>& out);

/// refuse_token for the field of a record.
[[noreturn]] void refuse_field(std::string_view token, parsed outcome, dtype type, const table_record& r,
                               const text_origin& origin);

/// Throws bad_data for a record without a key.
[[noreturn]] void refuse_missing_key(std::string_view field, const table_column& key, const table_record& r,
                                     const text_origin& origin);

/// Appends the columns' numbers, one from each record that is not blank, and the keys.
template <class T>
void parse_lines(std::string_view text, const text_origin& origin, const table_format& format,
                 const text_layout& layout, text_piece<T>& out) {
  std::vector<table_field> fields(format.wanted.size());
  std::string room;
  const char* const zero = text.data() + std::min(text.find('\0'), text.size());
  record_walk records(text, format.separator);
  while (const std::optional<table_record> r = records.next()) {
    if (r->open_quote != nullptr) refuse_open_quote(*r, origin);
    if (r->line.data() + r->line.size() > zero) refuse_zero(zero, dtype_of<T>, origin);
    const std::string_view content = content_of(*r, format.separator);
    if (content.empty()) continue;
    read_fields(content, r->line, format, origin, fields);
    std::uint32_t key = 0;
    if (layout.key) {
      const std::string_view word = fields.back().plain(room);
      if (word.empty()) {
        if (layout.missing == missing_rule::error) refuse_missing_key(fields.back().text, *layout.key, *r, origin);
        ++out.missing_keys;
        if (layout.missing == missing_rule::skip) continue;
      }
      key = out.keys.number_of(word);
    }
    for (std::size_t c = 0; c < out.columns.size(); ++c) {
      const std::string_view token = fields[c].token();
      const std::size_t before = out.columns[c].values.size();
      add_element(token, layout, out.columns[c],
                  [&](parsed outcome) { refuse_field(token, outcome, dtype_of<T>, *r, origin); });
      if (c < out.key_numbers.size() && out.columns[c].values.size() > before) out.key_numbers[c].push_back(key);
    }
  }
}

}  // namespace onefold::cli
