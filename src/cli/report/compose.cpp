#include "report/compose.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/combine.hpp"
#include "cells.hpp"
#include "measure/noise.hpp"
#include "report/chapter.hpp"
#include "report/headline.hpp"
#include "report/peers.hpp"
#include "report/rows.hpp"

namespace onefold::cli {
namespace {

/// The best of the longest arrays of f32, in a sentence each; and whether all bits are the same.
section summary(const record& r, const std::string& no_plots) {
  section s{"summary", "In short", {}, {}, {}, false};
  if (r.interrupted) s.paragraphs.emplace_back("Interrupted: rows are missing.");
  std::size_t compared = 0, same = 0;
  for (const part& p : r.parts)
    for (const measurement& m : p.found.rows) {
      compared += m.same_bits.has_value();
      same += m.same_bits.value_or(false);
    }
  s.paragraphs.push_back(
      same == compared ? fmt::format("All {} rows that are compared have the bits of the sequential backend.", same)
                       : fmt::format("{} of {} rows have OTHER BITS than the sequential backend: a bug.",
                                     compared - same, compared));
  if (std::string shapes = shapes_in_short(r); !shapes.empty()) s.paragraphs.push_back(std::move(shapes));
  const auto groups = grouped(rows_of(r, "bandwidth"), reduction_of);
  if (!groups.empty()) {
    const row_list& all = groups.front().second;
    const std::int64_t n = (*std::ranges::max_element(all, {}, [](const measurement* m) { return m->what.n; }))->what.n;
    table t;
    t.caption = fmt::format("{}, n = {}", groups.front().first, count_text(n));
    t.names = {"backend", "a call", "GB/s", "of read limit", "speed-up"};
    for (const measurement* m : all) {
      if (m->what.n != n) continue;
      if (m->seconds.noisy()) {  // not a figure to quote
        t.lines.push_back({series_of(*m), "noisy", "-", "-", "-"});
        s.notes.push_back(
            fmt::format("Noisy: {}: {}. Measure again on a quiet machine.", series_of(*m), m->seconds.noise()));
        continue;
      }
      t.lines.push_back({series_of(*m), time_text(m->seconds.median), rate_text(*m, m->seconds.median),
                         m->limit ? fmt::format("{:.0f} %", 100 * *m->share()) : "-",
                         m->speedup && !m->base_noisy ? fmt::format("{:.3g}", *m->speedup) : "-"});
    }
    s.tables.push_back(std::move(t));
  }
  for (const part& p : r.parts)
    for (const left_out& l : p.found.without)
      if (const std::string note = fmt::format("Without {}, which cannot run here: {}.", l.what, l.why);
          l.code == error_code::backend_unavailable && std::ranges::find(s.notes, note) == s.notes.end())
        s.notes.push_back(note);
  if (!no_plots.empty()) s.notes.push_back("There are no plots: " + no_plots + ". All numbers are in the tables.");
  return s;
}

std::string text_of(const nlohmann::ordered_json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

section facts(const record& r) {
  section s{"machine", "Machine and build", {}, {}, {}, true};
  for (const auto& [group, values] : r.facts->items()) {
    table t{group, {"what", "which"}, {}, true};
    for (const auto& [name, value] : values.items()) t.lines.push_back({name, text_of(value)});
    s.tables.push_back(std::move(t));
  }
  return s;
}

/// Why rows of a chapter are missing.
void add_reasons(section& s, const record& r, const chapter& c) {
  const part* p = r.find(c.measured ? c.name : bandwidth.name);
  if (!p) return;
  for (const left_out& l : p->found.without)
    s.notes.push_back(l.code == error_code::backend_unavailable
                          ? fmt::format("Without {}, which cannot run here: see above.", l.what)
                          : fmt::format("Not measured: {}: {}", l.what, l.why));
}

section method(const record& r) {
  section s{"method", "How it was measured", {}, {}, {}, false};
  s.paragraphs = {
      fmt::format(
          "Set {}, begun {}. Every row is measured in {} rounds, one after the other, so that what disturbs "
          "the machine for some seconds does not decide a row. In each it takes samples for {:.3g} s (latency: half of "
          "it; row and column sums: a quarter) after a warm-up, five at least; calls of less than 20 us are timed "
          "several at a time. Times are medians of all samples. The bits of every sample are compared with the "
          "sequential backend's, but for kernels with an order of their own. A figure is marked as noisy where threads "
          "of this process were ready to run and had no processor for more than {:.0f} % of the time, or where the "
          "middle half of the samples is wider than their median: it says something about the machine's other work.",
          r.asked.set, r.date, r.asked.rounds, r.asked.seconds, 100 * measure::most_waited),
      "report.json has all rows with quartiles, minima and bits; onefold report --compare A.json B.json says what "
      "changed between two of them, and onefold report --from A.json -o FOLDER draws one again."};
  return s;
}

}  // namespace

document composed(const record& r, const std::string& no_plots) {
  document d;
  d.title = fmt::format("onefold {} on {}, {}", text_of(r.facts->at("build").at("onefold")),
                        text_of(r.facts->at("machine").at("CPU")), r.date.substr(0, 10));
  d.headline = headline_of(r);
  d.sections.push_back(summary(r, no_plots));
  d.sections.push_back(facts(r));
  for (const chapter* c : chapters()) {
    if (!is_in(*c, r.asked)) continue;
    section s = c->shown(r);
    s.name = c->name;
    s.title = c->title;
    add_reasons(s, r, *c);
    d.sections.push_back(std::move(s));
  }
  if (r.peers) d.sections.push_back(peers_page(*r.peers));
  d.sections.push_back(method(r));
  return d;
}

}  // namespace onefold::cli
