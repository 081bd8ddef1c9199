// How much error does which time buy?
#include <algorithm>

#include <fmt/format.h>

#include "cells.hpp"
#include "choices.hpp"
#include "data/sets.hpp"
#include "lab/show.hpp"
#include "report/chapter.hpp"
#include "report/rows.hpp"

namespace onefold::cli {
namespace {

std::vector<axes> measured_errors(const assignment& asked) {
  std::vector<axes> all{on_cpu(asked), on_accelerators(asked)};
  for (axes& a : all) {
    a.accuracies = numbered<accuracy>(0, accuracy_count);
    a.counts = {1 << 20};
    a.data.clear();
    for (const char* name : {"uniform", "small-terms", "conditioned"}) a.data.push_back(data::find_set(name));
    if (asked.set == "full") a.elements.push_back(dtype::f64);
  }
  return all;
}

/// The errors of one array; and how fast each backend gets there.
table errors_of(const study& s, const row_list& all) {
  row_list members;
  for (const measurement* m : all)
    if (m->what.data == s.what.name && m->what.element == s.what.type && m->what.n == s.what.count)
      members.push_back(m);
  const auto series = grouped(members, series_of);
  table t;
  t.caption = fmt::format("{}, {} of {} {}, condition number {:.3g}", s.what.name, "sum", count_text(s.what.count),
                          name_of(s.what.type), s.condition);
  t.names = {"mode", "relative error", "ulps", "bound"};
  for (const auto& [name, its] : series) t.names.push_back(name + ", GB/s");
  for (const finding& f : s.findings) {
    std::vector<std::string> cells{f.mode, relative_text(f.relative), f.ulps ? fmt::format("{:.3g}", *f.ulps) : "-",
                                   bound_text(s, f)};
    for (const auto& [name, its] : series) {
      const auto row = std::ranges::find_if(its, [&](const measurement* m) { return name_of(m->what.mode) == f.mode; });
      if (row != its.end())
        cells.push_back(rate_cell(**row));
      else  // the left fold is a loop in one thread
        cells.push_back(
            !f.ran && name == "sequential" ? marked(fmt::format("{:.3g}", s.gigabytes_per_second(f)), f.noisy) : "-");
    }
    t.lines.push_back(std::move(cells));
  }
  return t;
}

section shown_errors(const record& r) {
  section s;
  s.paragraphs = {
      "Errors are exact: the difference to a sum that is never rounded. Every backend has the same bits, so that an "
      "error "
      "is of a mode, and the cost of a mode on a backend. The left fold is a plain loop."};
  const row_list all = rows_of(r, "errors");
  for (const study& its : r.studies) s.tables.push_back(errors_of(its, all));
  return s;
}

}  // namespace

const chapter errors{"errors", "Error against cost", false, measured_errors, shown_errors};

}  // namespace onefold::cli
