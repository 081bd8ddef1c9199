#include "report/rows.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "backends.hpp"
#include "cells.hpp"

namespace onefold::cli {

axes on_cpu(const assignment& asked) {
  axes a{};
  a.operations = {operation_index<op::sum>};
  a.elements = {dtype::f32};
  a.data = {std::nullopt};
  const auto all = detail::threaded_backends();
  a.backends.assign(all.begin(), all.end());
  a.backends.insert(a.backends.begin(), backend::sequential);
  a.accuracies = {accuracy::native};
  a.kernels = {kernel::canonical};
  a.threads = {0};
  a.locations = {measure::location::host};
  a.base = backend::sequential;
  a.seed = 1;
  a.seconds = asked.seconds;
  return a;
}

axes on_accelerators(const assignment& asked) {
  axes a = on_cpu(asked);
  const auto all = detail::accelerators();
  a.backends.assign(all.begin(), all.end());
  a.base = all.front();
  a.locations = {measure::location::host, measure::location::device};
  return a;
}

std::vector<std::int64_t> lengths(std::int64_t first, std::int64_t last, std::int64_t factor) {
  std::vector<std::int64_t> all;
  for (std::int64_t n = first; n <= last; n *= factor) all.push_back(n);
  return all;
}

row_list rows_of(const record& r, std::string_view chapter) {
  row_list all;
  if (const part* p = r.find(chapter))
    for (const measurement& m : p->found.rows) all.push_back(&m);
  return all;
}

std::string series_of(const measurement& m) {
  const std::string who = name_of(m.ran.backend);
  return is_accelerator(m.ran.backend) ? fmt::format("{}, {} data", who, name_of(m.what.where)) : who;
}

std::string reduction_of(const measurement& m) {
  return fmt::format("{} {}", operation_infos()[static_cast<std::size_t>(m.what.operation)].name,
                     name_of(m.what.element));
}

std::vector<std::pair<std::string, row_list>> grouped(const row_list& all,
                                                      const std::function<std::string(const measurement&)>& name) {
  std::vector<std::pair<std::string, row_list>> groups;
  for (const measurement* m : all) {
    const std::string its = name(*m);
    auto group = std::ranges::find(groups, its, &std::pair<std::string, row_list>::first);
    if (group == groups.end()) group = groups.insert(groups.end(), {its, {}});
    group->second.push_back(m);
  }
  return groups;
}

table pivot(const std::string& corner, const row_list& all, const std::function<std::string(const measurement&)>& line,
            const std::function<std::string(const measurement&)>& column,
            const std::function<std::string(const measurement&)>& cell) {
  table t;
  t.names = {corner};
  const auto columns = grouped(all, column);
  for (const auto& [name, members] : columns) t.names.push_back(name);
  for (const auto& [name, members] : grouped(all, line)) {
    std::vector<std::string> cells{name};
    for (std::size_t i = 1; i < t.names.size(); ++i) {
      const auto found = std::ranges::find_if(members, [&](const measurement* m) { return column(*m) == t.names[i]; });
      cells.push_back(found != members.end() ? cell(**found) : "-");
    }
    t.lines.push_back(std::move(cells));
  }
  return t;
}

std::string length_of(const measurement& m) { return count_text(m.what.n); }

double device_seconds(const measurement& m) { return m.device ? m.device->median : m.seconds.median; }

std::string rate_text(const measurement& m, double seconds) {
  return rate_text(static_cast<double>(m.what.bytes()) / seconds / 1e9);
}

std::string marked(const std::string& cell, bool noisy) { return noisy ? cell + ", noisy" : cell; }

std::string rate_cell(const measurement& m) { return marked(rate_text(m, m.seconds.median), m.seconds.noisy()); }
std::string time_cell(const measurement& m) { return marked(time_text(m.seconds.median), m.seconds.noisy()); }
std::string speedup_cell(const measurement& m) {
  return m.speedup ? marked(fmt::format("{:.3g}", *m.speedup), m.seconds.noisy() || m.base_noisy) : "-";
}

}  // namespace onefold::cli
