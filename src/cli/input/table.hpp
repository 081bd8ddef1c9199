// A piece of text as lines of a table, of which one column is read.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "input/number.hpp"
#include "input/text.hpp"
#include "input/tokens.hpp"

namespace onefold::cli {

/// The line without its comment and the white space around it; # inside double quotes starts none.
std::string_view without_comment(std::string_view line);

/// Settles what the layout leaves open from a table's first line, which is without its comment. Throws bad_data if the
/// separator is not clear, or not just one field has the name asked for.
table_format look_at_first_line(std::string_view line, const text_layout& layout, const text_origin& origin);

/// Field `format.column` of the content of a line, which is without its comment and not empty; the field is without
/// quotes and blanks around it. Throws bad_data if there are too few fields, another number of them than in the first
/// line, or an open quote.
std::string_view field(std::string_view content, std::string_view line, const table_format& format,
                       const text_origin& origin);

/// refuse_token for the field of a line.
[[noreturn]] void refuse_field(std::string_view token, parsed outcome, dtype type, std::string_view line,
                               const text_origin& origin);

/// Appends the column's numbers, one from each line that is not empty.
template <class T>
void parse_lines(std::string_view text, const text_origin& origin, const table_format& format, std::vector<T>& values) {
  const char* const zero = text.data() + std::min(text.find('\0'), text.size());
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (line.data() + line.size() > zero) refuse_zero(zero, dtype_of<T>, origin);
    text.remove_prefix(line.size() == text.size() ? line.size() : line.size() + 1);
    const std::string_view content = without_comment(line);
    if (content.empty()) continue;
    const std::string_view token = field(content, line, format, origin);
    T value{};
    if (const parsed outcome = parse_number(token, value); outcome != parsed::number)
      refuse_field(token, outcome, dtype_of<T>, line, origin);
    values.push_back(value);
  }
}

}  // namespace onefold::cli
