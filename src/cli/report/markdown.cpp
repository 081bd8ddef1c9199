// A document as Markdown.
#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "one_line.hpp"
#include "report/document.hpp"

namespace onefold::cli {
namespace {

/// Text on one line in which nothing is markup: neither of tables, links nor HTML.
std::string escape_markdown(const std::string& text) {
  std::string out;
  for (const char c : detail::one_line(text)) {
    if (std::string_view("|<*_`[]\\").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string line(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += fmt::format(" {} |", escape_markdown(cell));
  return text + "\n";
}

std::string as_markdown(const table& t) {
  std::string text = t.caption.empty() ? "" : escape_markdown(t.caption) + "\n\n";
  text += line(t.names) + "|---|";
  for (std::size_t i = 1; i < t.names.size(); ++i) text += t.words ? "---|" : "---:|";
  text += "\n";
  for (const auto& cells : t.lines) text += line(cells);
  return text + "\n";
}

}  // namespace

std::string plot_file(const section& s) { return fmt::format("{}/{}.svg", plot_folder, s.name); }

std::string as_markdown(const document& d, const plots& seen) {
  std::string text = fmt::format("# {}\n\n", escape_markdown(d.title));
  if (!d.headline.empty()) text += fmt::format("**{}**\n\n", escape_markdown(d.headline));
  for (const section& s : d.sections) {
    text += fmt::format("## {}\n\n", escape_markdown(s.title));
    if (seen.contains(s.name)) text += fmt::format("![{}]({})\n\n", escape_markdown(s.title), plot_file(s));
    for (const std::string& p : s.paragraphs) text += escape_markdown(p) + "\n\n";
    for (const table& t : s.tables) text += as_markdown(t);
    for (const std::string& n : s.notes) text += escape_markdown(n) + "\n\n";
  }
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

}  // namespace onefold::cli
