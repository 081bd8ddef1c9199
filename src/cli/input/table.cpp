// Fields of a line: separators, quotes and names.
#include "input/table.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "input/failure.hpp"
#include "input/shell.hpp"
#include "onefold/options.hpp"

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

  /// The next field, or nothing after the last one.
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
    const std::string_view found = line_.substr(1, close - 1);
    const std::size_t end = separator_ == ' ' ? line_.find_first_of(" \t", close) : line_.find(separator_, close);
    const std::string_view after =
        trimmed(line_.substr(close + 1, end == std::string_view::npos ? end : end - close - 1));
    if (!after.empty())
      throw bad_data(place_of(after.data(), origin_), "a separator after the closing quote", in_quotes(after));
    step(end);
    return found;
  }

  /// Goes after the separator at `end`, or to the end of the line.
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
  std::string found, options;
  int count = 0;
  const char* last = nullptr;
  for (const candidate& c : candidates_in(content)) {
    if (c.first == nullptr) continue;
    last = std::max(last, c.first);
    found += (count == 0 ? "" : " and ") + name_of_separator(c.separator);
    options += count++ == 0 ? "" : " or ";
    options += std::ranges::find(named_separators, c.separator, &named_separator::separator)->name;
  }
  if (count > 1)
    throw bad_data(place_of(last, origin), "one kind of separator", found + " (--separator " + options + " decides)");
}

/// The columns' names in a table's first line, each with its place.
class named_columns {
 public:
  named_columns(std::string_view line, char separator, const text_origin& origin)
      : line_(line), at_(cli::place_of(line.data(), origin)) {
    field_walk fields(line, separator, origin);
    std::string room;
    for (std::size_t k = 1; const std::optional<std::string_view> found = fields.next(); ++k)
      places_.emplace_back(table_field{*found, fields.quoted()}.plain(room), k);
    std::ranges::sort(places_);
  }

  /// The place, from 1, of the one column with the name.
  std::size_t place_of(const std::string& name) const {
    const auto first = std::ranges::lower_bound(places_, name, {}, &named_place::first);
    const auto count = std::ranges::upper_bound(places_, name, {}, &named_place::first) - first;
    if (count == 1) return first->second;
    if (count == 0) throw bad_data(at_, "a column named " + in_quotes(name), in_quotes(line_) + advice(name));
    const std::string others = count > 2 ? fmt::format(", {} and {} more", first[1].second, count - 2)
                                         : fmt::format(" and {}", first[1].second);
    throw bad_data(at_, "one column named " + in_quotes(name),
                   fmt::format("columns {}{} (give the position of one)", first->second, others));
  }

 private:
  using named_place = std::pair<std::string, std::size_t>;

  /// Which column was meant: one of which the name is a part between commas, or else the nearest.
  std::string advice(std::string_view name) const {
    constexpr std::size_t longest = 200;  // of a name that was meant
    std::vector<std::string_view> likely;
    for (const auto& [other, place] : places_) {
      if (other.size() > longest) continue;
      if (fmt::format(",{},", other).find(fmt::format(",{},", name)) != std::string::npos)
        return fmt::format("; did you mean {}? A name with a comma is given in double quotes: {}", in_quotes(other),
                           shell_word(fmt::format("\"{}\"", other)));
      likely.push_back(other);
    }
    const std::string_view nearest = nearest_name(name, likely);
    return nearest.empty() ? "" : fmt::format("; did you mean {}?", in_quotes(nearest));
  }

  std::string_view line_;
  std::string at_;
  std::vector<named_place> places_;  ///< sorted
};

/// Throws where two of the columns that are wanted are at the same place.
void require_different(const std::vector<wanted_field>& wanted, const text_layout& layout) {
  const auto same = std::ranges::adjacent_find(wanted, {}, &wanted_field::place);
  if (same == wanted.end()) return;
  const std::vector<table_column> columns = layout.wanted();
  const table_column &a = columns[same[0].number], &b = columns[same[1].number];
  if (layout.key && same[1].number == layout.columns.size())
    throw failure(exit_code::wrong_usage,
                  fmt::format("--by: column {} is also reduced (--column {}); expected another column",
                              in_quotes(b.label()), shell_word(a.label())));
  throw same_column("--column", a, b);
}

/// What is added to an error that a comment may be the reason of.
const char* comment_hint(std::string_view line, std::string_view content) {
  const std::string_view after = line.substr(static_cast<std::size_t>(content.data() + content.size() - line.data()));
  return after.find('#') != std::string_view::npos ? "; # begins a comment where it is not in quotes" : "";
}

[[noreturn]] void refuse_count(std::string_view line, std::string_view content, const table_format& format,
                               std::size_t count, const text_origin& origin) {
  const bool checked = format.columns != 0;
  const char* at = content.data() + content.size();
  if (checked && count > format.columns) {
    field_walk fields(content, format.separator, origin);
    for (std::size_t k = 0; k <= format.columns; ++k) at = fields.next()->data();
  }
  throw bad_data(
      place_of(at, origin),
      checked ? fmt::format("{} columns, as in the first line", format.columns)
              : fmt::format("at least {} columns", format.least_columns()),
      fmt::format("{} (separated by {}{})", count, name_of_separator(format.separator),
                  count < std::max(format.columns, format.least_columns()) ? comment_hint(line, content) : ""));
}

}  // namespace

failure same_column(std::string_view option, const table_column& a, const table_column& b) {
  const std::string found =
      a == b ? fmt::format("column {} is listed twice", in_quotes(a.label()))
             : fmt::format("{} and {} are the same column", in_quotes(a.label()), in_quotes(b.label()));
  return {exit_code::wrong_usage, fmt::format("{}: {}; expected each once", option, found)};
}

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
  table_format format{true, separator, {}, 0};
  std::optional<named_columns> names;
  for (const table_column& c : layout.wanted()) {
    if (c.place == 0 && !names) names.emplace(line, separator, origin);
    format.wanted.push_back({c.place != 0 ? c.place : names->place_of(c.name), format.wanted.size()});
  }
  std::ranges::stable_sort(format.wanted, {}, &wanted_field::place);
  require_different(format.wanted, layout);
  if (format.separator == ' ') return format;
  const std::size_t columns = field_walk(line, format.separator, origin).rest();
  if (columns < format.least_columns()) refuse_count(line, line, format, columns, origin);
  format.columns = columns;
  return format;
}

std::string_view table_field::token() const { return quoted ? trimmed(text) : text; }

std::string_view table_field::plain(std::string& room) const {
  if (!quoted || text.find('"') == std::string_view::npos) return text;
  room.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    room += text[i];
    if (text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"') ++i;
  }
  return room;
}

void read_fields(std::string_view content, std::string_view line, const table_format& format, const text_origin& origin,
                 std::vector<table_field>& out) {
  field_walk fields(content, format.separator, origin);
  std::size_t count = 0;
  for (const wanted_field& wanted : format.wanted) {
    std::optional<std::string_view> found;
    do {
      found = fields.next();
      if (!found) refuse_count(line, content, format, count, origin);
    } while (++count < wanted.place);
    out[wanted.number] = {*found, fields.quoted()};
  }
  if (format.columns != 0) {
    count += fields.rest();
    if (count != format.columns) refuse_count(line, content, format, count, origin);
  }
}

void refuse_missing_key(std::string_view field, const table_column& key, const table_record& r,
                        const text_origin& origin) {
  throw bad_data(place_of(field.data(), origin), fmt::format("a key (--by {})", shell_word(key.label())),
                 fmt::format("an empty field (a missing value: --missing skip leaves the line out, --missing zero "
                             "makes such lines a group){}",
                             comment_hint(r.line, r.content)));
}

void refuse_field(std::string_view token, parsed outcome, dtype type, const table_record& r,
                  const text_origin& origin) {
  refuse_token(token, outcome, type, origin, token.empty() ? comment_hint(r.line, r.content) : "");
}

}  // namespace onefold::cli
