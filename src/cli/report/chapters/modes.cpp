// What does each accuracy cost?
#include <algorithm>

#include <fmt/format.h>

#include "cells.hpp"
#include "choices.hpp"
#include "report/chapter.hpp"
#include "report/rows.hpp"

namespace onefold::cli {
namespace {

std::vector<axes> all_modes(const assignment& asked, const std::vector<std::int64_t>& counts, bool warm) {
  std::vector<axes> all{on_cpu(asked), on_accelerators(asked)};
  for (axes& a : all) {
    a.accuracies = numbered<accuracy>(0, accuracy_count);
    a.counts = counts;
    a.warm = warm;
    if (asked.set == "full") a.elements.push_back(dtype::f64);
  }
  return all;
}

std::vector<axes> measured_modes(const assignment& asked) {
  return all_modes(asked, {1 << 20, asked.set == "full" ? 1 << 27 : 1 << 25}, false);
}
std::vector<axes> measured_modes_cached(const assignment& asked) { return all_modes(asked, {1 << 14, 1 << 17}, true); }

std::string mode_of(const measurement& m) { return name_of(m.what.mode); }

section mode_tables(const record& r, std::string_view chapter) {
  section s;
  s.paragraphs = {
      "GB/s of a sum in each mode and, in brackets, its median time over that of the same backend's native sum."};
  const row_list all = rows_of(r, chapter);
  const auto native = [&](const measurement& m) {
    const auto found = std::ranges::find_if(all, [&](const measurement* b) {
      return b->what.mode == accuracy::native && b->what.n == m.what.n && b->what.element == m.what.element &&
             series_of(*b) == series_of(m);
    });
    if (found == all.end()) return marked("", m.seconds.noisy());
    const double ratio = m.seconds.median / (*found)->seconds.median;
    return marked(fmt::format(" ({:.2f})", ratio), m.seconds.noisy() || (*found)->seconds.noisy());
  };
  for (const auto& [name, members] :
       grouped(all, [](const measurement& m) { return fmt::format("{}, n = {}", reduction_of(m), length_of(m)); })) {
    s.tables.push_back(pivot("mode", members, mode_of, series_of,
                             [&](const measurement& m) { return rate_text(m, m.seconds.median) + native(m); }));
    s.tables.back().caption = name;
  }
  return s;
}

section shown_modes(const record& r) { return mode_tables(r, modes.name); }
section shown_modes_cached(const record& r) { return mode_tables(r, modes_cached.name); }

}  // namespace

const chapter modes{"modes", "Cost of each accuracy mode, from memory", false, measured_modes, shown_modes};
const chapter modes_cached{"modes-cached", "Cost of each accuracy mode, from the caches", false, measured_modes_cached,
                           shown_modes_cached};

}  // namespace onefold::cli
