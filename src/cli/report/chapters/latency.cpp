// What does a call cost when there is little to add up?
#include "report/chapter.hpp"
#include "report/rows.hpp"

namespace onefold::cli {
namespace {

std::vector<axes> measured_latency(const assignment& asked) {
  std::vector<axes> all{on_cpu(asked), on_accelerators(asked)};
  for (axes& a : all) {
    a.counts = lengths(1, 4096, asked.set == "full" ? 2 : 4);
    a.warm = true;
    a.seconds /= 2;
  }
  return all;
}

section shown_latency(const record& r) {
  section s;
  s.paragraphs = {
      "The median time of a call of a plan, until its result is there, over the same small array each time."};
  for (const auto& [name, members] : grouped(rows_of(r, "latency"), reduction_of)) {
    s.tables.push_back(pivot("n", members, length_of, series_of, time_cell));
    s.tables.back().caption = name + ", a call";
  }
  return s;
}

}  // namespace

const chapter latency{"latency", "Latency of short arrays", false, measured_latency, shown_latency};

}  // namespace onefold::cli
