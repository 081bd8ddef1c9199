// Results for people and for shell scripts.
#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "one_line.hpp"
#include "quantity.hpp"
#include "reduced.hpp"
#include "result_table.hpp"

namespace onefold::cli {
namespace {

/// Where a result stands.
std::vector<std::int64_t> indices_of(std::int64_t i, const extents& e) {
  std::vector<std::int64_t> index(e.size());
  for (std::size_t d = e.size(); d-- > 0; i /= e[d]) index[d] = i % e[d];
  return index;
}

/// The lines of one operation's results.
class results_text {
 public:
  explicit results_text(const reduced& r) : r_(r), e_(r.extents), rank_(e_.size()) {}

  /// With `shortened` the lines in the middle are left out where there are many results.
  void write(output_pieces& out, bool shortened) const {
    const std::int64_t width = one_a_line() ? 1 : e_[rank_ - 1], lines = r_.size / std::max<std::int64_t>(width, 1);
    const bool cut = shortened && r_.size > most_shown_results;
    out << names();
    for (std::int64_t line = 0; line < lines; ++line) {
      if (cut && line == shown_at_an_end && lines > 2 * shown_at_an_end) {
        out << "...\n";
        line = lines - shown_at_an_end;
      }
      out << title(line) << row(line * width, width, cut) << "\n";
    }
    if (cut)
      out << fmt::format("# {} in all; --output FILE.npy, --format json or a pipe shows every one\n",
                         detail::quantity(r_.size, "result"));
  }

 private:
  bool has_members() const { return r_.layout.members().size() > 1; }
  bool one_a_line() const { return rank_ < 2 || has_members(); }

  /// Above results of several numbers: what the columns are.
  std::string names() const {
    if (!has_members()) return "";
    std::string line = "#";
    for (std::size_t d = 0; d < rank_; ++d) line += fmt::format(" {}", static_cast<char>('i' + d));
    for (const result_member& m : r_.layout.members()) line += fmt::format(" {}", m.name);
    return line.append("\n");
  }

  /// Above each matrix of an array of more than two axes: which one it is.
  std::string title(std::int64_t line) const {
    if (one_a_line() || rank_ < 3 || line % e_[rank_ - 2] != 0) return "";
    const std::vector<std::int64_t> index = indices_of(line * e_[rank_ - 1], e_);
    return fmt::format("{}# [{}, :, :]\n", line > 0 ? "\n" : "", fmt::join(index.begin(), index.end() - 2, ", "));
  }

  std::string row(std::int64_t first, std::int64_t width, bool cut) const {
    if (has_members()) {
      std::string line = fmt::format("{}", fmt::join(indices_of(first, e_), " "));
      for (const scalar& s : r_.numbers(first)) line.append(" ").append(s.text());
      return line;
    }
    std::string line;
    for (std::int64_t i = 0; i < width; ++i) {
      if (i > 0) line += ' ';
      if (cut && i == shown_at_an_end && width > 2 * shown_at_an_end) {
        line += "... ";
        i = width - shown_at_an_end;
      }
      line += r_.numbers(first + i).front().text();
    }
    return line;
  }

  const reduced& r_;
  const extents& e_;
  std::size_t rank_;
};

/// One result, each number after its name where it needs one.
std::string single_text(const reduced& r, bool named) {
  const std::vector<scalar> numbers = r.numbers(0);
  std::string text;
  for (const scalar& s : numbers)
    text += fmt::format("{}{}{}\n", named ? r.operation + " " : "", numbers.size() > 1 ? s.name + " " : "", s.text());
  return text;
}

/// What was computed, and over what.
std::string what_text(const reduced& r, const reduced_input& from) {
  std::string text = fmt::format("{} of {} {}", r.operation, r.count, name_of(from.element));
  if (from.scanned) text = (from.scanned == scan_kind::exclusive ? "exclusive scan: " : "inclusive scan: ") + text;
  if (from.along) text += fmt::format(" along axis {}", *from.along);
  if (from.is_table()) text += fmt::format(" (column {})", detail::spelled_out(from.columns[r.column]));
  if (from.by) return text + fmt::format(" by {}: {}", detail::spelled_out(*from.by), detail::quantity(r.size, "key"));
  if (from.shape.empty()) return text;
  text += fmt::format(" ({}): {}", fmt::join(from.shape, "x"), detail::quantity(r.size, "result"));
  const extents& e = r.extents;
  return e.size() == 0 ? text : text + fmt::format(" ({})", fmt::join(e.begin(), e.end(), "x"));
}

}  // namespace

double reduced::gigabytes_per_second(dtype element) const {
  return seconds > 0 ? static_cast<double>(count) * size_of(element) / seconds / 1e9 : 0;
}

void write_text(output_pieces& out, std::span<const reduced> all, const reduced_input& from, bool shortened) {
  if (from.is_table()) out << result_table(all, from).text(shortened);
  for (const reduced& r : all) {
    if (from.is_table()) break;
    if (r.extents.size() == 0) {
      out << single_text(r, all.size() > 1);
      continue;
    }
    if (all.size() > 1) out << fmt::format("{}# {}\n", &r != all.data() ? "\n" : "", r.operation);
    results_text(r).write(out, shortened);
    if (r.outside)
      out << fmt::format("# outside the bins: {} below, {} above, {} NaN\n", r.outside->below, r.outside->above,
                         r.outside->nan);
  }
}

std::string explained(std::span<const reduced> all, const reduced_input& from) {
  std::string text;
  for (const reduced& r : all) {
    if (r.extents.size() == 0)
      for (const scalar& s : r.numbers(0)) text += fmt::format("{}: {} {}\n", s.name, name_of(s.type), s.hex());
    text.append(what_text(r, from)).append("\n");
    if (&r == all.data())
      for (const input_note& i : from.files)
        text += fmt::format("input: {}: {}, {}, {}\n", detail::spelled_out(i.name),
                            input_format_names[static_cast<std::size_t>(i.format)],
                            detail::quantity(i.count, "element"), i.how);
    const std::string who = r.ran.text();
    text += who + (who.ends_with('\n') ? "" : "\n");
    text += fmt::format("time: {:.6f} s, {:.2f} GB/s; reading before: {:.6f} s\n", r.seconds,
                        r.gigabytes_per_second(from.element), from.read_seconds);
  }
  return text;
}

}  // namespace onefold::cli
