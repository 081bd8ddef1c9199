// Fields of a line: separators, quotes and names.
#include "input/table.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "input/failure.hpp"

namespace onefold::cli {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

/// Takes the fields of a line off its front, one by one.
class field_walk {
 public:
  field_walk(std::string_view line, char separator, const text_origin& origin)
      : line_(line), separator_(separator), origin_(origin) {
    skip_blanks();
  }

  /// The next field, or nothing behind the last one.
  std::optional<std::string_view> next() {
    if (ended_) return std::nullopt;
    quoted_ = !line_.empty() && line_.front() == '"';
    if (quoted_) return quoted_field();
    const std::size_t end = separator_ == ' ' ? line_.find_first_of(" \t") : line_.find(separator_);
    const std::string_view found = trimmed(line_.substr(0, end));
    step(end);
    return found;
  }

  /// Whether the last field stood in quotes, in which a quote is doubled.
  bool quoted() const { return quoted_; }

  /// Walks to the end; returns the number of fields on the way. Not where blanks separate.
  std::size_t rest() {
    if (ended_) return 0;
    std::size_t fields = 1;
    for (const char c : line_) {
      if (c == '"') return walked();
      fields += c == separator_ ? 1 : 0;
    }
    return fields;
  }

 private:
  std::size_t walked() {
    std::size_t fields = 0;
    while (next()) ++fields;
    return fields;
  }

  std::string_view quoted_field() {
    const std::size_t close = closing_quote(line_, 0);
    const std::string_view found = trimmed(line_.substr(1, close - 1));
    const std::size_t end = separator_ == ' ' ? line_.find_first_of(" \t", close) : line_.find(separator_, close);
    const std::string_view behind =
        trimmed(line_.substr(close + 1, end == std::string_view::npos ? end : end - close - 1));
    if (!behind.empty())
      throw bad_data(place_of(behind.data(), origin_), "a separator behind a quote", in_quotes(behind));
    step(end);
    return found;
  }

  /// Goes behind the separator at `end`, or to the end of the line.
  void step(std::size_t end) {
    ended_ = end == std::string_view::npos;
    if (ended_) return;
    line_.remove_prefix(end + 1);
    skip_blanks();
  }

  /// Steps over blanks before a field; where blanks separate, a run of them does so once.
  void skip_blanks() {
    while (!line_.empty() && (line_.front() == ' ' || (line_.front() == '\t' && separator_ != '\t')))
      line_.remove_prefix(1);
  }

  std::string_view line_;
  char separator_;
  const text_origin& origin_;
  bool ended_ = false;
  bool quoted_ = false;
};

std::string name_of_separator(char c) {
  for (const named_separator& s : named_separators)
    if (s.separator == c) return fmt::format("{}s", s.name);
  return in_quotes({&c, 1});
}

/// The separators among which a first record's is found: where each stands first outside quotes, or null.
struct candidate {
  char separator;
  const char* first = nullptr;
};
std::array<candidate, 3> candidates_in(std::string_view content) {
  std::array<candidate, 3> found{{{'\t'}, {','}, {';'}}};
  std::size_t open = 0;
  find_unquoted(content, any_separator, open, [&](std::size_t i) {
    const auto here = std::ranges::find(found, content[i], &candidate::separator);
    if (here != found.end() && here->first == nullptr) here->first = &content[i];
    return false;
  });
  return found;
}

/// Throws if more than one of them may be meant.
void require_one_separator(std::string_view content, const text_origin& origin) {
  std::string kinds, options;
  int count = 0;
  const char* last = nullptr;
  for (const candidate& c : candidates_in(content)) {
    if (c.first == nullptr) continue;
    last = std::max(last, c.first);
    kinds += (count == 0 ? "" : " and ") + name_of_separator(c.separator);
    options += count++ == 0 ? "" : " or ";
    options += std::ranges::find(named_separators, c.separator, &named_separator::separator)->name;
  }
  if (count > 1)
    throw bad_data(place_of(last, origin), "one kind of separator", kinds + " (--separator " + options + " decides)");
}

/// Whether a field has the name; in quotes a quote is doubled.
bool has_name(std::string_view field, bool quoted, std::string_view name) {
  if (!quoted) return field == name;
  std::string plain;
  for (std::size_t i = 0; i < field.size(); ++i) {
    plain += field[i];
    if (field[i] == '"' && i + 1 < field.size() && field[i + 1] == '"') ++i;
  }
  return plain == name;
}

/// The place, from 1, of the one column with the name.
std::size_t named_column(std::string_view line, const std::string& name, char separator, const text_origin& origin) {
  field_walk fields(line, separator, origin);
  std::vector<std::size_t> places;
  for (std::size_t k = 1; const std::optional<std::string_view> found = fields.next(); ++k)
    if (has_name(*found, fields.quoted(), name)) places.push_back(k);
  if (places.size() == 1) return places.front();
  const std::string expected = fmt::format("{} column named {}", places.empty() ? "a" : "one", in_quotes(name));
  throw bad_data(place_of(line.data(), origin), expected,
                 places.empty() ? in_quotes(line)
                                : fmt::format("columns {} (--column takes a place too)", fmt::join(places, " and ")));
}

/// What is added to an error that a comment may be the reason of.
const char* comment_hint(std::string_view line, std::string_view content) {
  const std::string_view behind = line.substr(static_cast<std::size_t>(content.data() + content.size() - line.data()));
  return behind.find('#') != std::string_view::npos ? "; # begins a comment where it is not in quotes" : "";
}

[[noreturn]] void refuse_count(std::string_view line, std::string_view content, const table_format& format,
                               std::size_t count, const text_origin& origin) {
  const bool checked = format.columns != 0;
  const char* at = content.data() + content.size();
  if (checked && count > format.columns) {
    field_walk fields(content, format.separator, origin);
    for (std::size_t k = 0; k <= format.columns; ++k) at = fields.next()->data();
  }
  throw bad_data(place_of(at, origin),
                 checked ? fmt::format("{} columns, as in the first line", format.columns)
                         : fmt::format("at least {} columns", format.column),
                 fmt::format("{} (separated by {}{})", count, name_of_separator(format.separator),
                             count < std::max(format.columns, format.column) ? comment_hint(line, content) : ""));
}

}  // namespace

char likely_separator(std::string_view content) {
  candidate likely{' '};
  for (const candidate& c : candidates_in(content))
    if (c.first != nullptr && (likely.first == nullptr || c.first < likely.first)) likely = c;
  return likely.separator;
}

std::string_view content_of(const table_record& r, char separator) {
  std::string_view content = r.content;
  while (!content.empty() && content.front() == ' ') content.remove_prefix(1);
  while (!content.empty() && (content.back() == ' ' || content.back() == '\r')) content.remove_suffix(1);
  const bool tabs_separate = separator == '\t' || separator == any_separator;
  return tabs_separate || !trimmed(content).empty() ? content : std::string_view();
}

table_format look_at_first_line(std::string_view line, const text_layout& layout, char separator,
                                const text_origin& origin) {
  if (layout.separator == 0) require_one_separator(line, origin);
  table_format format{true, separator, layout.column, 0};
  if (!layout.column_name.empty()) format.column = named_column(line, layout.column_name, format.separator, origin);
  if (format.separator == ' ') return format;
  const std::size_t columns = field_walk(line, format.separator, origin).rest();
  if (columns < format.column) refuse_count(line, line, format, columns, origin);
  format.columns = columns;
  return format;
}

std::string_view field(std::string_view content, std::string_view line, const table_format& format,
                       const text_origin& origin) {
  field_walk fields(content, format.separator, origin);
  std::string_view wanted;
  std::size_t count = 0;
  do {
    const std::optional<std::string_view> found = fields.next();
    if (!found) refuse_count(line, content, format, count, origin);
    wanted = *found;
  } while (++count < format.column);
  if (format.columns != 0) {
    count += fields.rest();
    if (count != format.columns) refuse_count(line, content, format, count, origin);
  }
  return wanted;
}

void refuse_field(std::string_view token, parsed outcome, dtype type, const table_record& r,
                  const text_origin& origin) {
  refuse_token(token, outcome, type, origin, token.empty() ? comment_hint(r.line, r.content) : "");
}

}  // namespace onefold::cli
