// The benchmark's table.
#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "bench/show.hpp"
#include "cells.hpp"
#include "measure/noise.hpp"
#include "one_line.hpp"

namespace onefold::cli {
namespace {

struct column {
  const char* name;
  std::function<std::string(const measurement&)> cell;
};

std::string backend_text(const measurement& m) {
  const std::string asked = name_of(m.what.backend);
  return m.what.backend == m.ran.backend ? asked : asked + ": " + name_of(m.ran.backend);
}

/// Those that ran, and those asked for where there were fewer.
std::string threads_text(const measurement& m) {
  if (is_accelerator(m.ran.backend)) return "-";
  return m.what.threads > m.ran.threads ? fmt::format("{} of {}", m.ran.threads, m.what.threads)
                                        : fmt::format("{}", m.ran.threads);
}

/// The extents, and the axes that are reduced.
std::string shape_text(const measurement& m) {
  if (m.what.shape.empty()) return "-";
  std::string text;
  for (const std::int64_t extent : m.what.shape) text.append(text.empty() ? "" : "x").append(count_text(extent));
  return m.what.reduced.empty() ? text : fmt::format("{} over {}", text, fmt::join(m.what.reduced, ","));
}

/// A word for what disturbed the row.
std::string noise_cell(const measurement& m) {
  switch (measure::disturbance_of(m.seconds.waited, m.seconds.spread())) {
    case measure::disturbance::waiting:
      return fmt::format("waited {:.0f} %", 100 * m.seconds.waited);
    case measure::disturbance::spread:
      return "spread";
    case measure::disturbance::none:
      break;
  }
  return "-";
}

/// The axes; one on which all rows are alike is not a column.
std::vector<column> axis_columns() {
  return {
      {"op",
       [](const measurement& m) {
         return std::string(operation_infos()[static_cast<std::size_t>(m.what.operation)].name);
       }},
      {"type", [](const measurement& m) { return std::string(name_of(m.what.element)); }},
      {"data", [](const measurement& m) { return detail::spelled_out(m.what.data); }},
      {"n", [](const measurement& m) { return count_text(m.what.n); }},
      {"shape", shape_text},
      {"accuracy", [](const measurement& m) { return std::string(name_of(m.what.mode)); }},
      {"location", [](const measurement& m) { return std::string(name_of(m.what.where)); }},
      {"backend", backend_text},
      {"kernel",
       [](const measurement& m) { return is_accelerator(m.ran.backend) ? std::string(name_of(m.ran.kernel)) : "-"; }},
      {"threads", threads_text}};
}

std::vector<column> value_columns(const axes& a) {
  return {{"time", [](const measurement& m) { return time_text(m.seconds.median); }},
          {"minimum", [](const measurement& m) { return time_text(m.seconds.minimum); }},
          {"spread", [](const measurement& m) { return fmt::format("{:.0f} %", 100 * m.seconds.spread()); }},
          {"noise", noise_cell},
          {"device time", [](const measurement& m) { return m.device ? time_text(m.device->median) : "-"; }},
          {"occupancy",
           [](const measurement& m) { return m.occupancy ? fmt::format("{:.0f} %", 100 * *m.occupancy) : "-"; }},
          {"GB/s", [](const measurement& m) { return fmt::format("{:.2f}", m.gigabytes_per_second()); }},
          {"of limit", [](const measurement& m) { return m.limit ? fmt::format("{:.0f} %", 100 * *m.share()) : "-"; }},
          {a.base == backend::sequential ? "speed-up" : "to base",
           [](const measurement& m) { return m.speedup ? fmt::format("{:.2f}", *m.speedup) : "-"; }},
          {"bits", [](const measurement& m) { return !m.same_bits   ? "own order"
                                                     : *m.same_bits ? "same"
                                                                    : "WRONG"; }}};
}

using cell_grid = std::vector<std::vector<std::string>>;  // columns of cells, the name first

std::vector<std::string> cells_of(const column& c, const std::vector<measurement>& rows) {
  std::vector<std::string> cells{c.name};
  for (const measurement& m : rows) cells.push_back(c.cell(m));
  return cells;
}

bool alike(const std::vector<std::string>& cells) {
  return std::ranges::all_of(cells.begin() + 1, cells.end(), [&](const std::string& c) { return c == cells[1]; });
}

std::string drawn(const cell_grid& columns) {
  std::string text;
  for (std::size_t row = 0; row < columns[0].size(); ++row) {
    std::string line;
    for (const auto& cells : columns) {
      const std::size_t width = std::ranges::max(cells, {}, &std::string::size).size();
      line += fmt::format("{}{:>{}}", line.empty() ? "" : "  ", cells[row], width);
    }
    text += line + "\n";
  }
  return text;
}

}  // namespace

std::string as_text(const findings& found, const axes& a) {
  std::string common, text;
  if (!found.rows.empty()) {
    cell_grid columns;
    for (const column& c : axis_columns()) {
      const auto cells = cells_of(c, found.rows);
      if (found.rows.size() > 1 && !alike(cells))
        columns.push_back(cells);
      else if (cells[1] != "-")
        common += fmt::format("{}{} {}", common.empty() ? "" : ", ", c.name, cells[1]);
    }
    for (const column& c : value_columns(a)) {
      const auto cells = cells_of(c, found.rows);
      if (cells[1] != "-" || !alike(cells)) columns.push_back(cells);
    }
    if (a.missing) common += fmt::format("{}missing {}", common.empty() ? "" : ", ", *a.missing);
    text = fmt::format("{}{}; medians, {}; speed-up against {}\n\n", common, common.empty() ? "no axis fixed" : "",
                       a.warm ? "the same array each time" : "arrays beyond the caches", name_of(a.base)) +
           drawn(columns);
    if (std::ranges::any_of(found.rows, [](const measurement& m) { return m.seconds.noisy(); }))
      text += "\nnoise: rows whose threads waited for a processor, or whose samples disagree; measure them again\n";
    if (!found.without.empty()) text += "\n";
  }
  for (const left_out& l : found.without) text += fmt::format("left out: {}: {}\n", l.what, l.why);
  return text;
}

}  // namespace onefold::cli
