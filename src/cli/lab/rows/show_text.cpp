// The tables of the laboratory of row operations.
#include <fmt/format.h>

#include "lab/rows/show.hpp"
#include "lab/show.hpp"
#include "one_line.hpp"
#include "quantity.hpp"

namespace onefold::cli {
namespace {

std::string row_text(const row_finding& f, bool sums) {
  const row_errors& e = f.errors;
  const std::string bits = !f.ran ? "" : f.agrees ? "same" : "DIFFER", off_1 = e.off_1 ? relative_text(*e.off_1) : "-";
  const std::string where = e.ulps == 0 ? "-" : fmt::format("{}, {}", e.line, e.place);
  std::string text = fmt::format("{:<14} {:<11} {:>10} {:>10}   {:<14} {:>10} {:>10}", detail::spelled_out(f.mode),
                                 f.ran ? name_of(f.ran->backend) : "-", ulps_text(e.ulps), ulps_text(e.mean_ulps),
                                 where, relative_text(e.relative), relative_text(e.absolute));
  if (sums) text += fmt::format(" {:>10}", off_1);
  return text + (bits.empty() ? "\n" : fmt::format("  {}\n", bits));
}

std::string row_table(const row_study& s, const std::string& operation, bool sums) {
  std::string text = fmt::format("{}: {} of {} of {} {}", detail::spelled_out(s.what.name), operation,
                                 detail::quantity(s.what.count / s.line, "line"), s.line, name_of(s.what.type));
  if (s.what.seed) text += fmt::format(", seed {}", *s.what.seed);
  if (s.what.asked) text += fmt::format(", requested condition number {:g}", *s.what.asked);
  if (s.what.missing) text += fmt::format(", missing {}", *s.what.missing);
  text +=
      fmt::format("\n{:<14} {:<11} {:>10} {:>10}   {:<14} {:>10} {:>10}{}  {}\n", "mode", "backend", "ulps off", "mean",
                  "at line, place", "relative", "absolute", sums ? fmt::format(" {:>10}", "off 1") : "", "bits");
  for (const row_finding& f : s.findings) text += row_text(f, sums);
  for (const missing& m : s.left_out)
    text += fmt::format("{:<14} {:<11} left out: {}\n", detail::spelled_out(m.mode),
                        m.backend ? name_of(*m.backend) : "-", detail::one_line(m.why));
  return text;
}

}  // namespace

std::string rows_as_text(const std::vector<row_study>& studies, const std::string& operation) {
  const bool sums = operation == "softmax";
  std::string text;
  for (const row_study& s : studies) {
    if (!text.empty()) text += '\n';
    text += row_table(s, operation, sums);
  }
  return text;
}

}  // namespace onefold::cli
