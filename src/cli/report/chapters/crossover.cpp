// From which length on do threads beat one thread, and the GPU the CPU?
#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "cells.hpp"
#include "report/chapter.hpp"
#include "report/rows.hpp"

namespace onefold::cli {
namespace {

using times = std::map<std::int64_t, double>;  // by length

times times_of(const row_list& all, const std::string& series) {
  times t;
  for (const measurement* m : all)
    if (series_of(*m) == series && !m->seconds.noisy()) t[m->what.n] = m->seconds.median;
  return t;
}

times fastest_cpu(const row_list& all) {
  times t;
  for (const measurement* m : all)
    if (!is_accelerator(m->ran.backend) && !m->seconds.noisy()) {
      const auto [at, first] = t.try_emplace(m->what.n, m->seconds.median);
      at->second = std::min(at->second, m->seconds.median);
    }
  return t;
}

/// The first length from which on `a` is faster at every length that both have, and how many these are.
std::pair<std::optional<std::int64_t>, int> first_faster(const times& a, const times& b) {
  std::optional<std::int64_t> first;
  int lengths = 0;
  for (const auto& [n, seconds] : a) {
    const auto other = b.find(n);
    if (other == b.end()) continue;
    ++lengths;
    if (seconds >= other->second)
      first.reset();
    else if (!first)
      first = n;
  }
  return {first, lengths};
}

section shown_crossover(const record& r) {
  section s;
  s.paragraphs = {
      "The length from which on one way is faster than another at every longer length that was measured, by median "
      "times "
      "as the caller sees them; noisy rows do not count. Host data of cuda is moved to the device in each call; device "
      "data is there."};
  table t;
  t.words = true;
  t.names = {"reduction", "faster", "than", "from n ="};
  for (const crossing& c : crossings(r))
    t.lines.push_back({c.reduction, c.faster, c.than,
                       c.n             ? count_text(*c.n)
                       : c.lengths > 0 ? "not in this range"
                                       : "unknown: the rows are noisy"});
  if (!t.lines.empty()) s.tables.push_back(t);
  return s;
}

}  // namespace

std::vector<crossing> crossings(const record& r) {
  std::vector<crossing> all;
  for (const auto& [reduction, members] : grouped(rows_of(r, "bandwidth"), reduction_of)) {
    const times one = times_of(members, "sequential"), cpu = fastest_cpu(members);
    for (const auto& [series, its] : grouped(members, series_of)) {
      if (series == "sequential") continue;
      const bool gpu = is_accelerator(its.front()->ran.backend);
      const auto [n, lengths] = first_faster(times_of(its, series), gpu ? cpu : one);
      all.push_back({reduction, series, gpu ? "the fastest CPU backend" : "sequential", n, lengths});
    }
  }
  return all;
}

const chapter crossover{"crossover", "Crossover: threads, CPU and GPU", false, nullptr, shown_crossover};

}  // namespace onefold::cli
