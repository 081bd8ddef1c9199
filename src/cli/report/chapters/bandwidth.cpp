// How fast does each backend read arrays, from small to large?
#include <algorithm>

#include <fmt/format.h>

#include "report/chapter.hpp"
#include "report/rows.hpp"

namespace onefold::cli {
namespace {

/// Further reductions at fewer lengths.
void add(std::vector<axes>& all, const assignment& asked, int operation, const std::vector<dtype>& elements) {
  for (axes a : {on_cpu(asked), on_accelerators(asked)}) {
    a.operations = {operation};
    a.elements = elements;
    a.counts = lengths(1 << 10, 1 << 28, 4);
    all.push_back(std::move(a));
  }
}

std::vector<axes> measured_bandwidth(const assignment& asked) {
  const bool full = asked.set == "full";
  std::vector<axes> all{on_cpu(asked), on_accelerators(asked)};
  for (axes& a : all) a.counts = full ? lengths(1 << 10, 1 << 28, 2) : lengths(1 << 10, 1 << 26, 4);
  if (full) {
    add(all, asked, operation_index<op::max>, {dtype::f32, dtype::f64});
    add(all, asked, operation_index<op::sum>, {dtype::f64});
  }
  return all;
}

/// GB/s of each backend; the kernel alone, and what the machine can read, as further columns.
table rates(const std::string& reduction, const row_list& all) {
  table t = pivot("n", all, length_of, series_of, rate_cell);
  t.caption = reduction + ", GB/s";
  const bool device = std::ranges::any_of(all, [](const measurement* m) { return m->device.has_value(); });
  if (device) t.names.emplace_back("kernel alone");
  t.names.emplace_back("CPU read limit");
  for (auto& line : t.lines) {
    std::string kernel = "-";
    double limit = 0;
    for (const measurement* m : all) {
      if (length_of(*m) != line[0]) continue;
      if (m->device) kernel = rate_text(*m, m->device->median);
      limit = std::max(limit, m->limit.value_or(0));
    }
    if (device) line.push_back(kernel);
    line.push_back(limit > 0 ? fmt::format("{:.3g}", limit / 1e9) : "-");
  }
  return t;
}

section shown_bandwidth(const record& r) {
  section s;
  s.paragraphs = {
      "Bytes of the array over the median time of a call, as the caller sees it; arrays in turn that no cache of the "
      "CPU "
      "holds together. The read limit is the fastest rate at which as many threads as the backends use read the same "
      "arrays "
      "and do nothing else."};
  for (const auto& [name, members] : grouped(rows_of(r, "bandwidth"), reduction_of))
    s.tables.push_back(rates(name, members));
  return s;
}

}  // namespace

const chapter bandwidth{"bandwidth", "Bandwidth against length", false, measured_bandwidth, shown_bandwidth};

}  // namespace onefold::cli
