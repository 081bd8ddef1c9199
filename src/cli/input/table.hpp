// A piece of text as records of a table, of which one column is read.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>

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

/// Settles what the layout leaves open from a table's first record, whose content is `line`. Throws bad_data if the
/// separator is not clear, or not just one field has the name asked for.
table_format look_at_first_line(std::string_view line, const text_layout& layout, char separator,
                                const text_origin& origin);

/// Field `format.column` of the content of a record, which is not empty; the field is without quotes and blanks around
/// it. Throws bad_data if there are too few fields, or another number of them than in the first record.
std::string_view field(std::string_view content, std::string_view line, const table_format& format,
                       const text_origin& origin);

/// refuse_token for the field of a record.
[[noreturn]] void refuse_field(std::string_view token, parsed outcome, dtype type, const table_record& r,
                               const text_origin& origin);

/// Appends the column's numbers, one from each record that is not blank.
template <class T>
void parse_lines(std::string_view text, const text_origin& origin, const table_format& format,
                 const text_layout& layout, text_elements<T>& out) {
  const char* const zero = text.data() + std::min(text.find('\0'), text.size());
  record_walk records(text, format.separator);
  while (const std::optional<table_record> r = records.next()) {
    if (r->open_quote != nullptr) refuse_open_quote(*r, origin);
    if (r->line.data() + r->line.size() > zero) refuse_zero(zero, dtype_of<T>, origin);
    const std::string_view content = content_of(*r, format.separator);
    if (content.empty()) continue;
    const std::string_view token = field(content, r->line, format, origin);
    add_element(token, layout, out, [&](parsed outcome) { refuse_field(token, outcome, dtype_of<T>, *r, origin); });
  }
}

}  // namespace onefold::cli
