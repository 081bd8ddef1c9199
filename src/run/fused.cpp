// Several reductions of one array: a backend chosen for each, and those of the CPU's run in one pass.
#include "onefold/detail/fused.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "choose.hpp"
#include "cpu.hpp"
#include "modules.hpp"
#include "quantity.hpp"
#include "run/checks.hpp"
#include "run/executor.hpp"
#include "run/fused_pass.hpp"

namespace onefold::detail {

void run_fused(std::span<const fused_part> parts, const options& how, const void* data, run_report* ran) {
  const float_environment ieee;
  if (parts.empty()) return;
  const memory_location where = locate(data);
  std::vector<choice> choices;
  std::vector<comparison> compared(ran ? parts.size() : 0);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    choices.push_back(choose(parts[i].what, how, &where, ran ? &compared[i] : nullptr));
    check(choices[i], data, parts[i].what.n, parts[i].init);
  }

  // The one with the most threads decides for all that the CPU runs.
  const choice* lead = nullptr;
  for (const choice& c : choices)
    if (c.scheduler && (!lead || c.threads > lead->threads)) lead = &c;
  std::vector<fused_member> members;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const fused_part& p = parts[i];
    if (choices[i].scheduler)
      members.push_back({&choices[i], p.op, p.init, p.result});
    else
      executor(choices[i]).run(p.op, data, p.what.n, p.init, p.result);
  }
  if (lead) run_pass(*lead, members, data, parts.front().what.n);

  for (std::size_t i = 0; ran && i < parts.size(); ++i) {
    choice c = choices[i];
    if (lead && c.scheduler) {
      c.backend = lead->backend;
      c.threads = lead->threads;
      c.why = lead->why;
    }
    ran[i] = report_of(c, compared[i]);
    if (c.scheduler && members.size() > 1)
      ran[i].why += "; in one pass with " + quantity(static_cast<std::int64_t>(members.size()) - 1, "other reduction");
  }
}

}  // namespace onefold::detail
