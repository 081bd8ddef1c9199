// Several reductions of one array: a backend chosen for each, and those of the CPU's run in one pass.
#include "onefold/detail/fused.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "choose.hpp"
#include "cpu.hpp"
#include "modules.hpp"
#include "quantity.hpp"
#include "resolve.hpp"
#include "run/checks.hpp"
#include "run/executor.hpp"
#include "run/fused_pass.hpp"
#include "run/mapping.hpp"

namespace onefold::detail {

namespace {

/// Runs parts over elements that are at `where`: `check_part` checks the choice for one, and `run_alone` runs one that
/// takes no part in a pass.
template <class Check, class Alone>
void run_parts(std::span<const fused_part> parts, const options& how, const memory_location& where,
               const fused_elements& elements, run_report* ran, const Check& check_part, const Alone& run_alone) {
  std::vector<choice> choices;
  std::vector<comparison> compared(ran ? parts.size() : 0);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    choices.push_back(choose(parts[i].what, how, &where, ran ? &compared[i] : nullptr));
    check_part(choices[i], parts[i]);
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
      run_alone(choices[i], p);
  }
  if (lead && members.size() == 1) {
    const auto i = static_cast<std::size_t>(lead - choices.data());
    run_alone(choices[i], parts[i]);
  } else if (lead) {
    run_pass(*lead, members, elements, parts.front().what.n);
  }

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

}  // namespace

void run_fused(std::span<const fused_part> parts, const options& how, const void* data, run_report* ran) {
  const float_environment ieee;
  if (parts.empty()) return;
  run_parts(
      parts, how, locate(data), {data, nullptr, nullptr}, ran,
      [&](const choice& c, const fused_part& p) { check(c, data, p.what.n, p.init); },
      [&](choice& c, const fused_part& p) { executor(c).run(p.op, data, p.what.n, p.init, p.result); });
}

void run_fused_mapped(std::span<const fused_part> parts, const options& how, const mapped_source& from,
                      run_report* ran) {
  const float_environment ieee;
  if (parts.empty()) return;
  const mapping& maps = *parts.front().what.maps;
  const bool any_backend = resolve_backend(how).backend == backend::automatic;
  run_parts(
      parts, how, locate_arrays(maps, from, any_backend), {nullptr, &from, &maps}, ran,
      [&](const choice& c, const fused_part& p) { check_mapped(maps, from, c, p.init, p.result, 1); },
      [&](choice& c, const fused_part& p) { executor(c).run_mapped(p.op, from, p.init, p.result); });
}

}  // namespace onefold::detail
