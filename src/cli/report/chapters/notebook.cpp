// The table of teaching notebooks: one core, a kernel in shared memory, shuffles, and the default kernel.
#include <fmt/format.h>

#include "cells.hpp"
#include "report/chapter.hpp"
#include "report/rows.hpp"

namespace onefold::cli {
namespace {

std::vector<axes> measured_notebook(const assignment& asked) {
  std::vector<axes> all{on_cpu(asked), on_accelerators(asked)};
  all[0].backends = {backend::sequential};
  all[1].kernels = {kernel::sequential_addressing, kernel::shuffle, kernel::canonical};
  for (axes& a : all) a.counts = {100'000, 1'000'000, 10'000'000, 50'000'000};
  return all;
}

std::string notebook_way(const measurement& m) {
  if (!is_accelerator(m.ran.backend)) return "one CPU core";
  const std::string kernel = m.ran.kernel == kernel::sequential_addressing ? "shared memory" : name_of(m.ran.kernel);
  return fmt::format("{} data, {}", name_of(m.what.where), kernel);
}

section shown_notebook(const record& r) {
  section s;
  s.paragraphs = {
      "Sums of f32. Speed-ups are of a whole call against one CPU core: of host data with its way to the device, of "
      "device "
      "data with the launch and the way of the result back. Shared memory is kernel sequential_addressing."};
  for (const auto& [name, members] : grouped(rows_of(r, "notebook"), length_of)) {
    table t;
    t.caption = "n = " + name;
    t.names = {"way", "a call", "GB/s", "speed-up", "device time"};
    for (const measurement* m : members)
      t.lines.push_back({notebook_way(*m), time_cell(*m), rate_cell(*m), speedup_cell(*m),
                         m->device ? time_text(m->device->median) : "-"});
    s.tables.push_back(std::move(t));
  }
  return s;
}

}  // namespace

const chapter notebook{"notebook", "Preset notebook: one core, shared memory, shuffle, canonical", true,
                       measured_notebook, shown_notebook};

}  // namespace onefold::cli
