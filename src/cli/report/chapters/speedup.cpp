// What does each backend gain over one thread?
#include "report/chapter.hpp"
#include "report/rows.hpp"

namespace onefold::cli {
namespace {

section shown_speedup(const record& r) {
  section s;
  s.paragraphs = {
      "The sequential backend's median time over that of each backend, from the rows of the chapter above."};
  for (const auto& [name, members] : grouped(rows_of(r, "bandwidth"), reduction_of)) {
    s.tables.push_back(pivot("n", members, length_of, series_of, speedup_cell));
    s.tables.back().caption = name + ", speed-up against sequential";
  }
  return s;
}

}  // namespace

const chapter speedup{"speedup", "Speed-up against sequential", false, nullptr, shown_speedup};

}  // namespace onefold::cli
