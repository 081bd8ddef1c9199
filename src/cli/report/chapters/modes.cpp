// What does each accuracy cost?
#include <algorithm>

#include <fmt/format.h>

#include "cells.hpp"
#include "report/chapter.hpp"
#include "report/rows.hpp"

namespace onefold::cli {
namespace {

std::vector<axes> measured(const assignment& asked) {
  std::vector<axes> all{on_cpu(asked), on_cuda(asked)};
  for (axes& a : all) {
    a.accuracies = {accuracy::native, accuracy::wide, accuracy::kahan, accuracy::exact};
    a.counts = {1 << 16, 1 << 20, 1 << 24};
    if (asked.set == "full") {
      a.counts.push_back(1 << 27);
      a.elements.push_back(dtype::f64);
    }
  }
  return all;
}

std::string mode_of(const measurement& m) { return name_of(m.what.mode); }

section shown(const record& r) {
  section s;
  s.paragraphs = {
      "GB/s of a sum in each mode and, in brackets, its median time over that of the same backend's native sum."};
  const rows all = rows_of(r, "modes");
  const auto native = [&](const measurement& m) {
    const auto found = std::ranges::find_if(all, [&](const measurement* b) {
      return b->what.mode == accuracy::native && b->what.n == m.what.n && b->what.element == m.what.element &&
             series_of(*b) == series_of(m);
    });
    return found == all.end() ? "" : fmt::format(" ({:.2f})", m.seconds.median / (*found)->seconds.median);
  };
  for (const auto& [name, members] :
       grouped(all, [](const measurement& m) { return fmt::format("{}, n = {}", reduction_of(m), length_of(m)); })) {
    s.tables.push_back(pivot("mode", members, mode_of, series_of,
                             [&](const measurement& m) { return rate_text(m, m.seconds.median) + native(m); }));
    s.tables.back().caption = name;
  }
  return s;
}

}  // namespace

const chapter modes{"modes", "Cost of each accuracy mode", false, measured, shown};

}  // namespace onefold::cli
