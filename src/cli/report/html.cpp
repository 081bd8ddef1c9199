// A document as HTML: its style is in it, its images are data, and nothing else is asked for.
#include <algorithm>

#include <fmt/format.h>

#include "one_line.hpp"
#include "report/document.hpp"

namespace onefold::cli {
namespace {

/// For a screen of any width, light or dark, and for paper: nothing is cut, and no table or plot is torn that fits on a
/// page. Colors are those of plot_style.py, whose images follow the same preference.
constexpr const char* style = R"(
:root { color-scheme: light dark; --page: #fff; --ink: #1b1b1c; --soft: #595959; --line: #e3e3e4; --rule: #8a8a8a;
  --link: #0a58a6; }
@media screen and (prefers-color-scheme: dark) {
  :root { --page: #16181c; --ink: #e4e4e6; --soft: #a8acb3; --line: #33373e; --rule: #6f757e; --link: #7db7ff; }
}
body { font: 16px/1.5 system-ui, "DejaVu Sans", sans-serif; color: var(--ink); background: var(--page); margin: 0 auto;
  max-width: 60rem; padding: 0 1rem 2rem; }
h1 { font-size: 1.4rem; line-height: 1.25; margin: 0.8rem 0; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 0.8rem; border-bottom: 1px solid var(--line); }
p.headline { break-inside: avoid; font-size: 1.1rem; font-weight: 600; line-height: 1.4; margin: 0.8rem 0; }
nav { overflow-x: auto; white-space: nowrap; padding: 0.5rem 0; } nav a { margin-right: 1.2em; }
a, summary { color: var(--link); }
details > summary { cursor: pointer; margin: 1.5rem 0 0; } details h2 { display: inline; border: 0; color: var(--ink); }
@media screen { .unfolded { display: none; } }
figure { margin: 1rem 0; overflow-x: auto; }
figure img { width: 100%; min-width: 32rem; max-width: 56rem; height: auto; display: block; }
figure img.narrow { display: none; min-width: 0; }
@media screen and (max-width: 34rem) { figure img.narrow { display: block; } figure img.broad { display: none; } }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: 0.85rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: 0.3rem 0; }
th, td { padding: 0.2rem 0.7rem; text-align: right; border-bottom: 1px solid var(--line); vertical-align: top; }
td, th:first-child { white-space: nowrap; }
th:first-child, td:first-child { text-align: left; } thead th { border-bottom: 1px solid var(--rule); }
table.words td { white-space: normal; } table.words th, table.words td { text-align: left; overflow-wrap: anywhere; }
table.words :is(th, td):first-child { overflow-wrap: break-word; }
p.note { color: var(--soft); font-size: 0.9rem; overflow-wrap: anywhere; }
#summary h2 { margin-top: 1rem; }
@media screen and (min-width: 75rem) {
  body { max-width: none; margin-left: 16rem; padding-right: 2rem; } main { max-width: 58rem; }
  nav { position: fixed; left: 0; top: 0; bottom: 0; width: 13rem; overflow-y: auto; white-space: normal;
    padding: 1rem; font-size: 0.85rem; border-right: 1px solid var(--line); }
  nav a { display: block; margin: 0 0 0.6rem; }
}
@media print {
  @page { margin: 15mm; }
  html { font-size: 10pt; } nav, details { display: none; }
  body { font-size: 1rem; max-width: none; margin: 0; padding: 0; }
  h2, caption, p { break-after: avoid; } p, figure, table, tr { break-inside: avoid; }
  figure { overflow: visible; } figure img { min-width: 0; }
  p.note { break-after: auto; }
  table { font-size: 7.5pt; } th, td { padding: 0.1rem 0.3rem; } .wide { overflow: visible; }
}
)";

/// For data URIs (RFC 4648, section 4).
std::string base64(const std::string& bytes) {
  constexpr const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    unsigned word = 0;
    for (std::size_t j = 0; j < 3; ++j) word = word << 8 | (j < n ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j) text += j <= n ? digits[word >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

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
  std::string text;
  if (seen.contains(s.name)) {
    const auto image = [&](const std::string& name, const char* kind) {
      return fmt::format(R"(<img{} alt="{}: the numbers are in the tables" src="data:image/svg+xml;base64,{}">)", kind,
                         escaped(s.title), base64(seen.at(name)));
    };
    const std::string narrow = s.name + narrow_plot;
    const std::string images = seen.contains(narrow)
                                   ? image(s.name, " class=\"broad\"") + image(narrow, " class=\"narrow\"")
                                   : image(s.name, "");
    text += fmt::format("<figure>{}</figure>\n", images);
  }
  for (const std::string& p : s.paragraphs) text += fmt::format("<p>{}</p>\n", escaped(p));
  for (const table& t : s.tables) text += drawn(t);
  for (const std::string& n : s.notes) text += fmt::format("<p class=\"note\">{}</p>\n", escaped(n));
  const std::string heading = fmt::format("<h2>{}</h2>", escaped(s.title));
  // On paper nothing is folded: most browsers do not print what is, so that it stands there twice.
  const std::string shown =
      s.folded ? fmt::format("<details><summary>{0}</summary>\n{1}</details>\n<div class=\"unfolded\">{0}\n{1}</div>\n",
                             heading, text)
               : heading + '\n' + text;
  return fmt::format("<section id=\"{}\">\n{}</section>\n", s.name, shown);
}

}  // namespace

std::string as_html(const document& d, const plots& seen) {
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n"
      "<style>{1}</style>\n</head>\n<body>\n<nav>",
      escaped(d.title), style);
  for (const section& s : d.sections) text += fmt::format("<a href=\"#{}\">{}</a>\n", s.name, escaped(s.title));
  text += fmt::format("</nav>\n<main>\n<h1>{}</h1>\n", escaped(d.title));
  if (!d.headline.empty()) text += fmt::format("<p class=\"headline\">{}</p>\n", escaped(d.headline));
  for (const section& s : d.sections) text += drawn(s, seen);
  return text + "</main>\n</body>\n</html>\n";
}

}  // namespace onefold::cli
