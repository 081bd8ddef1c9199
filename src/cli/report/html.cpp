// A document as HTML: its style is in it, its images are data, and nothing else is asked for.
#include <fmt/format.h>

#include "one_line.hpp"
#include "report/document.hpp"

namespace onefold::cli {
namespace {

/// For a screen of any width, and for paper: nothing is cut, and no table or plot is torn that fits on a page.
constexpr const char* style = R"(
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, "DejaVu Sans", sans-serif; color: #1b1b1b; background: #fff; max-width: 64rem;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; line-height: 1.25; }
h2 { font-size: 1.25rem; margin-top: 2.5rem; border-bottom: 1px solid #ccc; }
nav a { display: inline-block; margin-right: 1.2em; } a { color: #0a58a6; }
figure { margin: 1rem 0; } figure img { width: 100%; max-width: 56rem; height: auto; display: block; }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: 0.85rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: 0.3rem 0; }
th, td { padding: 0.2rem 0.7rem; text-align: right; border-bottom: 1px solid #e2e2e2; vertical-align: top; }
td, th:first-child { white-space: nowrap; }
th:first-child, td:first-child { text-align: left; } thead th { border-bottom: 1px solid #888; }
table.words td { white-space: normal; } table.words th, table.words td { text-align: left; overflow-wrap: anywhere; }
table.words :is(th, td):first-child { overflow-wrap: break-word; }
p.note { color: #555; font-size: 0.9rem; }
@media print {
  @page { margin: 15mm; }
  body { font-size: 10pt; max-width: none; margin: 0; padding: 0; } nav { display: none; }
  h2, caption, p { break-after: avoid; } figure, table, tr { break-inside: avoid; }
  p.note { break-after: auto; }
  table { font-size: 8pt; } th, td { padding: 0.1rem 0.4rem; } .wide { overflow: visible; }
}
)";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : detail::one_line(text)) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  return out;
}

std::string line(const std::vector<std::string>& cells, const char* tag) {
  std::string text = "<tr>";
  for (const std::string& cell : cells) text += fmt::format("<{0}>{1}</{0}>", tag, escaped(cell));
  return text + "</tr>\n";
}

std::string drawn(const table& t) {
  std::string text = fmt::format("<div class=\"wide\"><table{}>\n", t.words ? " class=\"words\"" : "");
  if (!t.caption.empty()) text += fmt::format("<caption>{}</caption>\n", escaped(t.caption));
  text += "<thead>" + line(t.names, "th") + "</thead>\n<tbody>\n";
  for (const auto& cells : t.lines) text += line(cells, "td");
  return text + "</tbody></table></div>\n";
}

std::string drawn(const section& s, const plots& seen) {
  std::string text = fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n", s.name, escaped(s.title));
  for (const std::string& p : s.paragraphs) text += fmt::format("<p>{}</p>\n", escaped(p));
  if (const auto plot = seen.find(s.name); plot != seen.end())
    text += fmt::format("<figure><img alt=\"{}: the numbers are in the tables below\" src=\"{}\"></figure>\n",
                        escaped(s.title), escaped(plot->second));
  for (const table& t : s.tables) text += drawn(t);
  for (const std::string& n : s.notes) text += fmt::format("<p class=\"note\">{}</p>\n", escaped(n));
  return text + "</section>\n";
}

}  // namespace

std::string as_html(const document& d, const plots& seen) {
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n"
      "<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n<nav>",
      escaped(d.title), style);
  for (const section& s : d.sections) text += fmt::format("<a href=\"#{}\">{}</a>\n", s.name, escaped(s.title));
  text += "</nav>\n";
  for (const section& s : d.sections) text += drawn(s, seen);
  return text + "</body>\n</html>\n";
}

}  // namespace onefold::cli
