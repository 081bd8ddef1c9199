// Names, cells, and the text with its columns aligned.
#include "result_table.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "ascii.hpp"
#include "one_line.hpp"
#include "onefold/error.hpp"
#include "quantity.hpp"

namespace onefold::cli {
namespace {

/// A column of text is made as wide as its widest cell, but no wider than this: one long key must not pad all rows.
constexpr std::size_t most_padding = 40;

/// A name as a field of a table whose fields blanks separate.
std::string field_text(std::string_view name) {
  std::string shown = detail::spelled_out(name);
  if (!shown.empty() && shown.find_first_of(" \t,;\"#") == std::string::npos) return shown;
  std::string quoted = "\"";
  for (const char c : shown) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

/// Lines of cells, of which the first one of each is aligned to the left, the others to the right.
class aligned_text {
 public:
  explicit aligned_text(std::size_t columns) : widths_(columns) {}

  void add(std::string_view cell) {
    std::size_t& width = widths_[ends_.size() % widths_.size()];
    width = std::max(width, std::min(detail::count_characters(cell), most_padding));
    cells_ += cell;
    ends_.push_back(cells_.size());
  }

  /// All lines; `dots` stands after the line before number `gap`.
  std::string text(std::size_t gap, std::string_view dots) const {
    std::string text;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < ends_.size(); begin = ends_[i++]) {
      const std::size_t column = i % widths_.size();
      if (i == gap * widths_.size()) text += dots;
      const std::string_view cell = std::string_view(cells_).substr(begin, ends_[i] - begin);
      const std::string padding(widths_[column] - std::min(widths_[column], detail::count_characters(cell)), ' ');
      text.append(column == 0 ? "" : " ").append(column == 0 ? cell : padding).append(column == 0 ? padding : cell);
      if (column + 1 == widths_.size()) text += '\n';
    }
    return text;
  }

 private:
  std::string cells_;
  std::vector<std::size_t> ends_, widths_;
};

/// The operations that reduce each column.
std::vector<operation_results> operations_of(std::span<const reduced> all, const reduced_input& from) {
  const std::span<const reduced> of_first_column = all.first(all.size() / from.columns.size());
  return {of_first_column.begin(), of_first_column.end()};
}

/// The fields of a table of these operations' results: of each column where rows are keys.
std::vector<result_field> fields_of(std::span<const operation_results> operations, const reduced_input& from) {
  std::vector<result_field> fields;
  for (std::size_t c = 0; c < (from.by ? from.columns.size() : 1); ++c)
    for (std::size_t i = 0; i < operations.size(); ++i) {
      const std::span<const result_member> members = operations[i].layout.members();
      for (std::size_t m = 0; m < members.size(); ++m)
        fields.push_back({(from.by ? from.columns[c] + "_" : "") + operations[i].name_of_member(m),
                          c * operations.size() + i, members[m]});
    }
  return fields;
}

/// A name that stands in the list twice.
std::optional<std::string> duplicate_of(std::vector<std::string> names) {
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  return twice == names.end() ? std::nullopt : std::optional(*twice);
}

}  // namespace

std::string_view title_of(const reduced_input& from) { return from.by ? std::string_view(*from.by) : "column"; }

void require_different_names(std::span<const operation_results> operations, const reduced_input& from) {
  std::vector<std::string> names{std::string(title_of(from))};
  for (const result_field& f : fields_of(operations, from)) names.push_back(f.name);
  const std::optional<std::string> column = duplicate_of(std::move(names));
  const std::optional<std::string> row = from.by ? std::nullopt : duplicate_of(from.columns);
  if (!column && !row) return;
  throw error(error_code::invalid_argument,
              fmt::format("two {} of the result would be named {}; give a column by its position, or use --format json "
                          "without --output",
                          column ? "columns" : "rows", detail::in_quotes(column ? *column : *row)));
}

result_table::result_table(std::span<const reduced> all, const reduced_input& from)
    : all_(all), from_(from), fields_(fields_of(operations_of(all, from), from)) {}

const std::byte* result_table::cell(std::size_t row, const result_field& f) const {
  const std::size_t in_a_row = all_.size() / from_.columns.size();
  const reduced& r = from_.by ? all_[f.reduction] : all_[row * in_a_row + f.reduction];
  const std::size_t result = from_.by ? row * static_cast<std::size_t>(r.layout.result_size()) : 0;
  return r.results.bytes().data() + result + f.member.offset;
}

std::string result_table::text(bool shortened) const {
  const std::size_t ends = shown_at_an_end;
  const bool cut = shortened && rows() > most_shown_results;
  aligned_text lines(fields_.size() + 1);
  lines.add(field_text(title_of(from_)));
  for (const result_field& f : fields_) lines.add(field_text(f.name));
  for (std::size_t row = 0; row < rows(); ++row) {
    if (cut && row == ends) row = rows() - ends;
    lines.add(field_text(row_name(row)));
    for (const result_field& f : fields_) {
      scalar s{"", f.member.type, 0};
      std::memcpy(&s.bits, cell(row, f), static_cast<std::size_t>(size_of(f.member.type)));
      lines.add(s.text());
    }
  }
  if (!cut) return lines.text(0, "");
  return lines.text(ends + 1, "...\n") +
         fmt::format("# {} in all; --output FILE.npy, --format json or a pipe shows every one\n",
                     detail::quantity(rows(), "row"));
}

}  // namespace onefold::cli
