// Names, cells, and the text with its columns aligned.
#include "result_table.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "one_line.hpp"
#include "quantity.hpp"

namespace onefold::cli {
namespace {

/// A column of text is made as wide as its widest cell, but no wider than this: one long key must not pad all rows.
constexpr std::size_t most_padding = 40;

/// Characters; the bytes that continue one in UTF-8 do not count.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

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
    width = std::max(width, std::min(width_of(cell), most_padding));
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
      const std::string padding(widths_[column] - std::min(widths_[column], width_of(cell)), ' ');
      text.append(column == 0 ? "" : " ").append(column == 0 ? cell : padding).append(column == 0 ? padding : cell);
      if (column + 1 == widths_.size()) text += '\n';
    }
    return text;
  }

 private:
  std::string cells_;
  std::vector<std::size_t> ends_, widths_;
};

}  // namespace

result_table::result_table(std::span<const reduced> all, const reduced_input& from) : all_(all), from_(from) {
  for (std::size_t i = 0; i < all.size() && (from.by || all[i].column == 0); ++i)
    for (std::size_t m = 0; m < all[i].layout.members().size(); ++m)
      fields_.push_back({(from.by ? from.columns[all[i].column] + "_" : "") + all[i].name_of_member(m), i,
                         all[i].layout.members()[m]});
}

const std::byte* result_table::cell(std::size_t row, const field& f) const {
  const std::size_t in_a_row = all_.size() / from_.columns.size();
  const reduced& r = from_.by ? all_[f.reduction] : all_[row * in_a_row + f.reduction];
  const std::size_t result = from_.by ? row * static_cast<std::size_t>(r.layout.result_size()) : 0;
  return r.results.bytes().data() + result + f.member.offset;
}

std::string result_table::text(bool shortened) const {
  const std::size_t ends = shown_at_an_end;
  const bool cut = shortened && rows() > most_shown_results;
  aligned_text lines(fields_.size() + 1);
  lines.add(field_text(title()));
  for (const field& f : fields_) lines.add(field_text(f.name));
  for (std::size_t row = 0; row < rows(); ++row) {
    if (cut && row == ends) row = rows() - ends;
    lines.add(field_text(row_name(row)));
    for (const field& f : fields_) {
      scalar s{"", f.member.type, 0};
      std::memcpy(&s.bits, cell(row, f), static_cast<std::size_t>(size_of(f.member.type)));
      lines.add(s.text());
    }
  }
  if (!cut) return lines.text(0, "");
  return lines.text(ends + 1, "...\n") +
         fmt::format("# {} in all; --output FILE.npy, --format json and a pipe get every one\n",
                     detail::quantity(rows(), "row"));
}

}  // namespace onefold::cli
