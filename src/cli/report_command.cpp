// onefold report: measures a set and writes it, draws a stored one again, or compares two.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "axis.hpp"
#include "bench/axes.hpp"
#include "bench/runner.hpp"
#include "choices.hpp"
#include "commands.hpp"
#include "files.hpp"
#include "input/failure.hpp"
#include "input/source.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "output.hpp"
#include "quantity.hpp"
#include "report/chapter.hpp"
#include "report/collect.hpp"
#include "report/compare.hpp"
#include "report/compose.hpp"
#include "report/draw.hpp"
#include "report/peers.hpp"
#include "report/stored.hpp"

namespace onefold::cli {
namespace {

/// What the folder of a report gets.
constexpr const char* report_files[] = {"report.json", "report.md", "report.html"};

std::int64_t chosen_largest(const std::string& word) {
  const std::vector<std::int64_t> counts = chosen_counts("--largest", word, 2);
  if (counts.size() != 1) throw unusable("--largest", "one integer from 1 on", word);
  return counts[0];
}

std::string chosen_set(const arguments& given) {
  if (given.quick + given.full + (given.preset ? 1 : 0) > 1)
    throw failure(exit_code::wrong_usage, "--quick, --full and --preset exclude each other");
  if (!given.preset) return given.full ? "full" : "quick";
  const std::vector<std::string_view> names = preset_names();
  return std::string(names[chosen_name("--preset", "preset", *given.preset, names)]);
}

assignment chosen_assignment(const arguments& given) {
  assignment asked;
  asked.set = chosen_set(given);
  asked.rounds = asked.set == "full" ? 2 : 3;  // in a full report arrays are made that take seconds to make
  asked.seconds = (given.seconds ? chosen_seconds(*given.seconds) : 0.15) / asked.rounds;
  if (given.largest) asked.largest = chosen_largest(*given.largest);
  return asked;
}

/// Refuses a folder that cannot take a report: before the work.
void require_report_folder(const arguments& given) {
  if (!given.output) return;
  if (given.output->empty()) throw unusable("--output", "a folder", *given.output);
  const std::filesystem::path folder = *given.output;
  make_folder(folder);
  for (const char* name : report_files) require_replaceable(folder / name);
  if (const std::filesystem::path images = folder / plot_folder; std::filesystem::exists(images)) make_folder(images);
}

/// `report` is the record's JSON.
void write_report(const arguments& given, const record& r, const nlohmann::ordered_json& report) {
  if (!given.output) {
    write_output(given.format == output_format::json ? json_line(report) : as_markdown(composed(r, ""), {}));
    return;
  }
  std::string written;
  const auto write = [&](const std::string& name, const std::string& text) {
    const std::string path = std::filesystem::path(*given.output) / name;
    write_file(path, text);
    written += path + "\n";
  };
  // Before the plots: whatever happens to them, the figures are there.
  write(report_files[0], json_text(report));
  const drawing plots = drawn(report);
  const document d = composed(r, plots.why_not);
  if (!plots.seen.empty()) make_folder(std::filesystem::path(*given.output) / plot_folder);
  for (const section& s : d.sections)
    if (const auto plot = plots.seen.find(s.name); plot != plots.seen.end()) write(plot_file(s), plot->second);
  write(report_files[1], as_markdown(d, plots.seen));
  write(report_files[2], as_html(d, plots.seen));
  if (!plots.why_not.empty()) written += "without plots: " + plots.why_not + "\n";
  write_output(written);
}

void compare(const arguments& given) {
  const double tolerance = given.tolerance ? chosen_number("--tolerance", *given.tolerance, 0, 1000) : 0.05;
  const std::string &before = given.compare[0], &after = given.compare[1];
  const comparison c = compared(before, read_file(before), after, read_file(after), tolerance);
  write_output(given.format == output_format::json ? as_json(c) : as_text(c));
  const auto slower = std::ranges::count(c.changes, verdict::slower, &change::is);
  if (const std::size_t n = c.other_bits.size(); n > 0)
    throw failure(exit_code::failed,
                  fmt::format("{} {} other bits than before", detail::quantity(n, "row"), n == 1 ? "has" : "have"));
  if (slower > 0)
    throw failure(exit_code::failed, fmt::format("{} of {} times are longer than before", slower, c.changes.size()));
  if (const std::size_t n = c.only_before.size(); n > 0)
    throw failure(exit_code::failed, fmt::format("{} of {} {} missing from {}", detail::quantity(n, "row"),
                                                 shown_name(before), n == 1 ? "is" : "are", shown_name(after)));
}

/// The page of peers.json.
void draw_peers(const arguments& given, const nlohmann::ordered_json& peers) {
  const document d = peers_document(peers);
  if (!given.output) return write_output(given.format == output_format::json ? json_line(peers) : as_markdown(d, {}));
  const std::filesystem::path folder = *given.output, page = folder / "peers.md", html = folder / "peers.html";
  make_folder(folder);
  write_file(page.string(), as_markdown(d, {}));
  write_file(html.string(), as_html(d, {}));
  write_output(page.string() + "\n" + html.string() + "\n");
}

/// A stored report, or a comparison of peers, as files, or on standard output, without measuring.
void redraw(const arguments& given) {
  const std::string text = read_file(*given.from);
  if (is_peers(*given.from, text)) return draw_peers(given, read_peers(*given.from, text));
  const nlohmann::ordered_json report = read_report(*given.from, text);
  const record r = stored_record(*given.from, report);
  require_report_folder(given);
  write_report(given, r, report);
}

}  // namespace

void make_report(const arguments& given) {
  const bool measures = given.quick || given.full || given.preset || given.seconds || given.largest || given.peers;
  if (!given.compare.empty()) {
    if (measures || given.output || given.from)
      throw failure(exit_code::wrong_usage, "--compare measures nothing; it takes only --tolerance and --format");
    return compare(given);
  }
  if (given.tolerance) throw failure(exit_code::wrong_usage, "--tolerance requires --compare");
  if (given.from) {
    if (measures) throw failure(exit_code::wrong_usage, "--from measures nothing; it takes only --output and --format");
    return redraw(given);
  }
  const assignment asked = chosen_assignment(given);
  // Before the work, which a wrong file would make useless.
  std::shared_ptr<const nlohmann::ordered_json> peers;
  if (given.peers)
    peers = std::make_shared<const nlohmann::ordered_json>(read_peers(*given.peers, read_file(*given.peers)));
  require_report_folder(given);
  record r = [&] {
    const interrupt caught;
    return collected(asked, interrupt::wanted());
  }();
  r.peers = std::move(peers);
  write_report(given, r, as_json(r));
  std::vector<const findings*> all;
  for (const part& p : r.parts) all.push_back(&p.found);
  require_sound(all);
  if (r.interrupted) throw failure(exit_code::interrupted, "interrupted: the report has only what was measured before");
}

}  // namespace onefold::cli
