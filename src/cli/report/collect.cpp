#include "report/collect.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/array.hpp"
#include "bench/combine.hpp"
#include "bench/runner.hpp"
#include "choices.hpp"
#include "data/sets.hpp"
#include "measure/machine.hpp"
#include "onefold/error.hpp"
#include "progress.hpp"
#include "report/chapter.hpp"
#include "report/facts.hpp"

namespace onefold::cli {
namespace {

constexpr double seconds_of_study = 1;

/// Leaves out the arrays that are too long for the caller, or for the memory that is free: the array is in memory twice
/// where it is in pinned memory too.
void shorten(axes& a, const assignment& asked, std::vector<left_out>& without) {
  std::int64_t width = 1;
  for (const dtype element : a.elements) width = std::max<std::int64_t>(width, size_of(element));
  const std::int64_t fits = measure::available_memory() / 3 / width;
  std::vector<std::int64_t> all = a.counts;
  std::ranges::transform(a.shapes, std::back_inserter(all), elements_in);
  for (const std::int64_t n : all)
    if (n > fits)
      leave_out(without, {fmt::format("arrays of {} elements", n), "they are more than a third of the free memory",
                          error_code::unsupported});
  const auto stays = [&](std::int64_t n) { return n <= fits && n <= asked.largest.value_or(n); };
  if (std::ranges::none_of(all, stays) && std::ranges::any_of(all, [&](auto n) { return n <= fits; }))
    leave_out(without, {fmt::format("arrays of {} elements or more", all.front()),
                        fmt::format("--largest {} leaves them out", *asked.largest), error_code::unsupported});
  std::erase_if(a.counts, [&](std::int64_t n) { return !stays(n); });
  std::erase_if(a.shapes, [&](const auto& shape) { return !stays(elements_in(shape)); });
}

/// Whether two rows are of the same array.
bool same_array(const setting& a, const setting& b) { return a.data == b.data && a.element == b.element && a.n == b.n; }

/// One row of each array, in their order.
std::vector<setting> arrays_of(const std::vector<setting>& rows) {
  std::vector<setting> all;
  for (const setting& s : rows)
    if (std::ranges::none_of(all, [&](const setting& a) { return same_array(a, s); })) all.push_back(s);
  return all;
}

/// The rows of several lists as one, those of one array together; what they have in common is the first list's.
work_list listed_together(std::vector<axes> lists, const assignment& asked) {
  work_list all{lists.front(), {}, {}};
  for (axes& a : lists) {
    shorten(a, asked, all.without);
    work_list work = listed(a);
    std::ranges::move(work.rows, std::back_inserter(all.rows));
    for (left_out& l : work.without) leave_out(all.without, std::move(l));
  }
  const std::vector<setting> arrays = arrays_of(all.rows);
  std::ranges::stable_sort(all.rows, {}, [&](const setting& s) {
    return std::ranges::find_if(arrays, [&](const setting& a) { return same_array(a, s); }) - arrays.begin();
  });
  return all;
}

/// Joins the rows of a round to those of the rounds before.
void add_round(findings& all, findings round) {
  for (measurement& m : round.rows) {
    const auto before = std::ranges::find(all.rows, m.what, &measurement::what);
    if (before == all.rows.end()) {
      all.rows.push_back(std::move(m));
      continue;
    }
    before->seconds = joined(before->seconds, m.seconds);
    if (before->device && m.device) before->device = joined(*before->device, *m.device);
    if (m.limit) before->limit = std::max(*m.limit, before->limit.value_or(0));
    if (before->same_bits) *before->same_bits &= m.same_bits.value_or(true);
  }
  for (left_out& l : round.without) leave_out(all.without, std::move(l));
}

/// The errors of each mode over the array of a row, whose elements it makes anew from the seed.
study studied(const setting& s, std::uint64_t seed) {
  array_copies array(s, seed, true);
  experiment how;
  how.operation = operation_index<op::sum>;
  how.backends = {backend::sequential};
  how.accuracies = numbered<accuracy>(0, accuracy_count);
  progress_counter counted;
  const std::span elements(array.in_host_memory().first(), static_cast<std::size_t>(s.bytes()));
  return examine({s.data, s.element, s.n, seed}, elements, how, counted);
}

/// A chapter that measures, and its rows.
struct task {
  const chapter* of;
  work_list work;
  std::vector<setting> studies = {};
};

std::vector<task> tasks_of(const assignment& asked) {
  std::vector<task> all;
  for (const chapter* c : chapters())
    if (is_in(*c, asked) && c->measured) {
      all.push_back({c, listed_together(c->measured(asked), asked)});
      if (c == &errors) all.back().studies = arrays_of(all.back().work.rows);
    }
  return all;
}

void require_some_row(const record& r) {
  std::vector<left_out> without;
  for (const part& p : r.parts) {
    if (!p.found.rows.empty() || r.interrupted) return;
    for (const left_out& l : p.found.without) leave_out(without, l);
  }
  throw why_no_row(without);
}

}  // namespace

record collected(const assignment& asked, const std::atomic<bool>& stop) {
  record r;
  r.asked = asked;
  r.date = now();
  r.facts = std::make_shared<const nlohmann::ordered_json>(all_facts());
  const std::vector<task> tasks = tasks_of(asked);
  std::size_t steps = 0;
  double expected = 0;
  for (const task& t : tasks) {
    r.parts.push_back({t.of->name, t.work.how, {{}, t.work.without}});
    steps += static_cast<std::size_t>(asked.rounds) * t.work.rows.size() + t.studies.size();
    expected += asked.rounds * t.work.expected_seconds() + seconds_of_study * static_cast<double>(t.studies.size());
  }
  eta ahead(steps, expected);
  const progress shown([&](double seconds) { return ahead.line(seconds); });
  for (const task& t : tasks)
    for (const setting& s : t.studies) {
      if (stop.load()) break;
      ahead.begin(fmt::format("errors of {} {}", s.data, name_of(s.element)));
      r.studies.push_back(studied(s, t.work.how.seed));
      ahead.end(seconds_of_study);
    }
  for (int round = 0; round < asked.rounds && !stop.load(); ++round)
    for (std::size_t i = 0; i < tasks.size(); ++i) add_round(r.parts[i].found, measure(tasks[i].work, ahead, stop));
  for (part& p : r.parts) set_speedups(p.found.rows, p.how.base);
  r.interrupted = stop.load();
  require_some_row(r);
  return r;
}

}  // namespace onefold::cli
