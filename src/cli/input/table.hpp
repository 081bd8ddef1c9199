// A piece of text as lines of a table, of which one column is read.
#pragma once

#include <string_view>
#include <vector>

#include "input/number.hpp"
#include "input/text.hpp"
#include "input/tokens.hpp"

namespace onefold::cli {

/// The line without its comment and the white space around it; # inside double quotes starts none.
std::string_view without_comment(std::string_view line);

/// Settles separator and column from a table's first line. Throws bad_data if no field has the name asked for.
table_format look_at_first_line(std::string_view line, const text_layout& layout, const text_origin& origin);

/// Field `format.column` of a line that is not empty, without quotes and blanks around it. Throws bad_data if the line
/// has too few fields, or an open quote.
std::string_view field(std::string_view line, const table_format& format, const text_origin& origin);

/// Appends the column's numbers, one from each line that is not empty.
template <class T>
void parse_lines(std::string_view text, const text_origin& origin, const table_format& format, std::vector<T>& values) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() == text.size() ? line.size() : line.size() + 1);
    const std::string_view content = without_comment(line);
    if (content.empty()) continue;
    const std::string_view token = field(content, format, origin);
    T value{};
    if (const parsed outcome = parse_number(token, value); outcome != parsed::number)
      refuse_token(token, outcome, dtype_of<T>, origin);
    values.push_back(value);
  }
}

}  // namespace onefold::cli
