// Fields of a line: separators, quotes and names.
#include "input/table.hpp"

#include <optional>

#include <fmt/format.h>

#include "input/failure.hpp"

namespace onefold::cli {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string line_of(const char* at, const text_origin& origin) {
  return fmt::format("line {}", advance(origin.position, origin.begin, at).line);
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
    if (!line_.empty() && line_.front() == '"') return quoted_field();
    const std::size_t end = separator_ == ' ' ? line_.find_first_of(" \t") : line_.find(separator_);
    const std::string_view found = trimmed(line_.substr(0, end));
    step(end);
    return found;
  }

 private:
  std::string_view quoted_field() {
    std::size_t close = line_.find('"', 1);
    while (close != std::string_view::npos && close + 1 < line_.size() && line_[close + 1] == '"')
      close = line_.find('"', close + 2);
    if (close == std::string_view::npos) unclosed(line_);
    const std::string_view found = trimmed(line_.substr(1, close - 1));
    const std::size_t end = separator_ == ' ' ? line_.find_first_of(" \t", close) : line_.find(separator_, close);
    const std::string_view behind =
        trimmed(line_.substr(close + 1, end == std::string_view::npos ? end : end - close - 1));
    if (!behind.empty())
      throw bad_data(line_of(behind.data(), origin_), "a separator behind a quote", in_quotes(behind));
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

  [[noreturn]] void unclosed(std::string_view at) const {
    throw bad_data(line_of(at.data(), origin_), "a quote that is closed on its line", in_quotes(at));
  }

  std::string_view line_;
  char separator_;
  const text_origin& origin_;
  bool ended_ = false;
};

const char* name_of_separator(char c) {
  return c == '\t' ? "tabs" : c == ',' ? "commas" : c == ';' ? "semicolons" : "blanks";
}

}  // namespace

std::string_view without_comment(std::string_view line) {
  // Blanks before the line's first field go, tabs stay: there they separate.
  bool inside = false;
  std::size_t end = 0;
  while (end < line.size() && (inside || line[end] != '#')) inside ^= line[end++] == '"';
  line = line.substr(0, end);
  while (!line.empty() && (line.front() == ' ' || line.front() == '\r')) line.remove_prefix(1);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r' || line.back() == '\n')) line.remove_suffix(1);
  return trimmed(line).empty() ? std::string_view() : line;
}

table_format look_at_first_line(std::string_view line, const text_layout& layout, const text_origin& origin) {
  table_format format{true, ' ', layout.column};
  for (const char c : {'\t', ',', ';'}) {
    if (line.find(c) == std::string_view::npos) continue;
    format.separator = c;
    break;
  }
  if (layout.column_name.empty()) return format;
  field_walk fields(line, format.separator, origin);
  for (std::size_t k = 1;; ++k) {
    const std::optional<std::string_view> name = fields.next();
    if (!name) break;
    if (*name != layout.column_name) continue;
    format.column = k;
    return format;
  }
  throw bad_data(line_of(line.data(), origin), fmt::format("a column named {}", in_quotes(layout.column_name)),
                 in_quotes(line));
}

std::string_view field(std::string_view line, const table_format& format, const text_origin& origin) {
  field_walk fields(line, format.separator, origin);
  for (std::size_t k = 1;; ++k) {
    const std::optional<std::string_view> found = fields.next();
    if (!found)
      throw bad_data(line_of(line.data(), origin), fmt::format("at least {} columns", format.column),
                     fmt::format("{} (separated by {})", k - 1, name_of_separator(format.separator)));
    if (k == format.column) return *found;
  }
}

}  // namespace onefold::cli
