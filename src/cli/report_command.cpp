// onefold report: measures a set and writes it, or compares two reports.
#include <algorithm>

#include <fmt/format.h>

#include "axis.hpp"
#include "bench/interrupt.hpp"
#include "choices.hpp"
#include "commands.hpp"
#include "input/failure.hpp"
#include "json.hpp"
#include "output.hpp"
#include "report/chapter.hpp"
#include "report/collect.hpp"
#include "report/compare.hpp"
#include "report/compose.hpp"
#include "report/draw.hpp"
#include "report/files.hpp"

namespace onefold::cli {
namespace {

/// The only number of an option.
double number_of(std::string_view option, const std::string& word, double low) {
  const std::vector<double> numbers = chosen_numbers(option, word, low, 2);
  if (numbers.size() != 1)
    throw failure(exit_code::wrong_usage, fmt::format("{}: expected one number, found {}", option, in_quotes(word)));
  return numbers[0];
}

std::string chosen_set(const arguments& given) {
  if (given.quick + given.full + (given.preset ? 1 : 0) > 1)
    throw failure(exit_code::wrong_usage, "--quick, --full and --preset are one choice: take one of them");
  if (!given.preset) return given.full ? "full" : "quick";
  const std::vector<std::string_view> names = preset_names();
  if (std::ranges::find(names, *given.preset) == names.end()) throw unknown_name("--preset", *given.preset, names);
  return *given.preset;
}

assignment chosen_assignment(const arguments& given) {
  assignment asked;
  asked.set = chosen_set(given);
  asked.rounds = asked.set == "full" ? 2 : 3;  // in a full report arrays are made that take seconds to make
  asked.seconds = (given.seconds ? number_of("--seconds", *given.seconds, 0) : 0.15) / asked.rounds;
  if (given.largest) asked.largest = static_cast<std::int64_t>(number_of("--largest", *given.largest, 1));
  return asked;
}

/// What must not be, in the order of its gravity.
void complain(const record& r) {
  std::size_t wrong = 0;
  for (const part& p : r.parts)
    wrong += static_cast<std::size_t>(
        std::ranges::count_if(p.found.rows, [](const measurement& m) { return m.same_bits == false; }));
  if (wrong > 0)
    throw failure(
        exit_code::failed,
        fmt::format("{} rows have other bits than the sequential backend: please report this as a bug", wrong));
  for (const part& p : r.parts)
    for (const left_out& l : p.found.without)
      if (l.code == error_code::device) throw failure(exit_code::failed, l.what + ": " + l.why);
  if (r.interrupted) throw failure(exit_code::interrupted, "interrupted: the report has what was measured until then");
}

void write_report(const arguments& given, const record& r) {
  const nlohmann::ordered_json report = as_json(r);
  if (!given.output) {
    write_output(given.format == output_format::json ? json_line(report) : as_markdown(composed(r, "")));
    return;
  }
  const drawing plots = drawn(report);
  const document d = composed(r, plots.why_not);
  std::string written =
      write_file(*given.output, "report.json",
                 report.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n") +
      "\n";
  written += write_file(*given.output, "report.md", as_markdown(d)) + "\n";
  written += write_file(*given.output, "report.html", as_html(d, plots.seen)) + "\n";
  if (!plots.why_not.empty()) written += "without plots: " + plots.why_not + "\n";
  write_output(written);
}

void compare(const arguments& given) {
  const double tolerance = given.tolerance ? number_of("--tolerance", *given.tolerance, 0) : 0.05;
  const std::string &before = given.compare[0], &after = given.compare[1];
  const comparison c = compared(before, read_file(before), after, read_file(after), tolerance);
  write_output(given.format == output_format::json ? as_json(c) : as_text(c));
  const auto slower = std::ranges::count(c.changes, verdict::slower, &change::is);
  if (!c.other_bits.empty())
    throw failure(exit_code::failed, fmt::format("{} rows have other bits than before", c.other_bits.size()));
  if (slower > 0)
    throw failure(exit_code::failed, fmt::format("{} of {} times are longer than before", slower, c.changes.size()));
}

}  // namespace

void make_report(const arguments& given) {
  if (!given.compare.empty()) {
    if (given.quick || given.full || given.preset || given.output || given.seconds || given.largest)
      throw failure(exit_code::wrong_usage, "--compare measures nothing: it goes with --tolerance and --format alone");
    return compare(given);
  }
  if (given.tolerance) throw failure(exit_code::wrong_usage, "--tolerance goes with --compare");
  const assignment asked = chosen_assignment(given);
  if (given.output) prepare_folder(*given.output);
  const record r = [&] {
    const interrupt caught;
    return collected(asked, interrupt::wanted());
  }();
  write_report(given, r);
  complain(r);
}

}  // namespace onefold::cli
