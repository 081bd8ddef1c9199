// What does each step from a naive CUDA kernel to a good one bring? Three tables of the same kind.
#include <fmt/format.h>

#include "cells.hpp"
#include "measure/ladder.hpp"
#include "report/chapter.hpp"
#include "report/rows.hpp"

namespace onefold::cli {
namespace {

/// The ladder, on data that is on the device; speed-ups are against its first kernel.
axes rungs(const assignment& asked, dtype element, std::vector<std::int64_t> counts) {
  axes a = on_accelerators(asked);
  a.elements = {element};
  a.counts = std::move(counts);
  a.locations = {measure::location::device};
  a.kernels.assign(measure::ladder.begin(), measure::ladder.end());
  return a;
}

std::vector<std::string> line(const measurement& m, const measurement* before, const measurement& first) {
  const double seconds = device_seconds(m);
  return {name_of(m.ran.kernel),
          time_text(seconds),
          rate_text(m, seconds),
          before ? fmt::format("{:.2f}", device_seconds(*before) / seconds) : "-",
          fmt::format("{:.2f}", device_seconds(first) / seconds),
          m.occupancy ? fmt::format("{:.0f} %", 100 * *m.occupancy) : "-",
          time_cell(m)};
}

section ladder_tables(const record& r, std::string_view chapter) {
  section s;
  s.paragraphs = {
      "Times of the device alone, by graphs that are replayed; every rung runs until one number is left. A step is the "
      "rung before over this one. Occupancy is the theoretical one of the rung's first kernel: the share of a "
      "multiprocessor's threads that its registers, shared memory and block size leave room for."};
  for (const auto& [name, members] : grouped(rows_of(r, chapter), [](const measurement& m) {
         return fmt::format("{}, n = {}", reduction_of(m), length_of(m));
       })) {
    table t;
    t.caption = name;
    t.names = {"kernel", "device time", "GB/s", "step", "in all", "theoretical occupancy", "a call"};
    const measurement* before = nullptr;
    for (const measurement* m : members) {
      t.lines.push_back(line(*m, before, *members.front()));
      before = m;
    }
    s.tables.push_back(std::move(t));
  }
  return s;
}

constexpr std::int64_t one_m = 1 << 20, four_m = 1 << 22;

std::vector<axes> measured_ladder(const assignment& asked) {
  return {rungs(asked, dtype::f32, {one_m, four_m, std::int64_t{1} << (asked.set == "full" ? 28 : 26)})};
}
std::vector<axes> measured_ladder_1m(const assignment& asked) { return {rungs(asked, dtype::f32, {one_m})}; }
std::vector<axes> measured_harris_4m(const assignment& asked) { return {rungs(asked, dtype::i32, {four_m})}; }

section shown_ladder(const record& r) { return ladder_tables(r, ladder.name); }
section shown_ladder_1m(const record& r) { return ladder_tables(r, ladder_1m.name); }
section shown_harris_4m(const record& r) { return ladder_tables(r, harris_4m.name); }

}  // namespace

const chapter ladder{"ladder", "The CUDA ladder", false, measured_ladder, shown_ladder};
const chapter ladder_1m{"ladder-1m", "Preset ladder-1m: every rung at 1 M elements", true, measured_ladder_1m,
                        shown_ladder_1m};
const chapter harris_4m{"harris-4m", "Preset harris-4m: the ladder at 4 M integers", true, measured_harris_4m,
                        shown_harris_4m};

}  // namespace onefold::cli
