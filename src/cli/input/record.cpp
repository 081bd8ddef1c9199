// Records without quotes are lines; only those with one are walked byte by byte.
#include "input/record.hpp"

#include <algorithm>

namespace onefold::cli {
namespace {

const char* end_of(std::string_view text) { return text.data() + text.size(); }

const char* first_quote(std::string_view text) { return text.data() + std::min(text.find('"'), text.size()); }

/// The start of the line that holds the byte at `at`; lines begin at `start`.
std::size_t line_start(std::string_view text, std::size_t start, std::size_t at) {
  return std::max(start, text.rfind('\n', at) + 1);
}

table_record first_record(std::string_view text, char separator) { return *record_walk(text, separator).next(); }

}  // namespace

record_walk::record_walk(std::string_view text, char separator)
    : rest_(text), separator_(separator), quote_(first_quote(text)) {}

std::optional<table_record> record_walk::next() {
  if (rest_.empty()) return std::nullopt;
  table_record found;
  found.line = rest_.substr(0, rest_.find('\n'));
  if (quote_ < end_of(found.line)) {
    found = quoted_record();
  } else {
    found.content = found.line.substr(0, found.line.find('#'));
    found.complete = found.line.size() < rest_.size();
    found.size = found.line.size() + (found.complete ? 1 : 0);
  }
  rest_.remove_prefix(found.size);
  if (quote_ < rest_.data()) quote_ = first_quote(rest_);
  return found;
}

table_record record_walk::quoted_record() const {
  table_record found;
  std::size_t open = 0;
  const auto ends = [&](std::size_t i) { return rest_[i] == '#' || rest_[i] == '\n'; };
  const std::size_t end = find_unquoted(rest_, separator_, open, ends);
  if (end == std::string_view::npos) {
    found.line = found.content = rest_;
    found.size = rest_.size();
    found.open_quote = rest_.data() + open;
    found.complete = rest_.size() - open >= longest_quoted;
    return found;
  }
  found.content = rest_.substr(0, end);
  found.line = rest_.substr(0, rest_.find('\n', end));
  found.complete = found.line.size() < rest_.size();
  found.size = found.line.size() + (found.complete ? 1 : 0);
  return found;
}

std::size_t record_end(std::string_view text, std::size_t least, char separator) {
  for (std::size_t start = 0;;) {
    const std::size_t line_end = std::min(text.find('\n', std::max(start, least)), text.size() - 1) + 1;
    const std::size_t quote = text.substr(0, line_end).find('"', start);
    if (quote == std::string_view::npos) return line_end;
    start = line_start(text, start, quote);
    start += first_record(text.substr(start), separator).size;
    if (start > least || start == text.size()) return start;
  }
}

std::size_t last_record_end(std::string_view text, char separator) {
  for (std::size_t start = 0;;) {
    const std::size_t quote = text.find('"', start);
    if (quote == std::string_view::npos) return std::max(start, text.rfind('\n') + 1);
    start = line_start(text, start, quote);
    const table_record with_quote = first_record(text.substr(start), separator);
    if (!with_quote.complete) return start;
    start += with_quote.size;
    if (start == text.size()) return start;
  }
}

}  // namespace onefold::cli
