// Arrays that consist of parts: each is folded where it is, those of different devices at once, and their partials are
// joined in order.
#include <algorithm>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cpu.hpp"
#include "modules.hpp"
#include "onefold/detail/partial.hpp"
#include "resolve.hpp"
#include "run/checks.hpp"
#include "run/partial_state.hpp"
#include "run/together.hpp"

namespace onefold::detail {
namespace {

/// The accelerator and the device that own a part; nulls for one in host memory.
using part_owner = std::pair<const accelerator*, int>;

part_owner owner_of(const array_part& p) {
  const memory_location where = locate(p.data);
  if (!where.owner || where.kind != accelerator_memory::device) return {};
  return {where.owner, where.owner->device_of(p.data)};
}

/// The options for parts of an owner: a backend that has the elements in its own memory is not asked for again.
options options_for(const part_owner& owner, options how) {
  const backend asked = resolve_backend(how).backend;
  if (!is_accelerator(asked)) return how;
  if (owner.first && find_accelerator(asked).record == owner.first) {
    how.backend = backend::automatic;
    how.environment = false;
  }
  return how;
}

}  // namespace

void reduce_parts(const partial_kind& what, const options& how, const request& to, const void* op,
                  std::span<const array_part> parts, const void* init, void* result) {
  const float_environment ieee;
  check_choices(how);
  if (how.device >= 0 || how.devices.size() > 0)
    refuse("parts are folded where they are: leave the options device and devices as they are");
  std::vector<std::int64_t> begins(parts.size());
  std::int64_t end = 0;
  std::map<part_owner, std::vector<std::size_t>> owned;  // by whom: one thread each
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].n < 0) refuse("the number of elements is negative: " + std::to_string(parts[i].n));
    begins[i] = end;
    end = checked_end(end, parts[i].n);
    if (parts[i].n > 0) owned[owner_of(parts[i])].push_back(i);
  }

  std::vector<std::optional<partial_core>> partials(parts.size());
  std::vector<std::exception_ptr> failures(parts.size());
  const std::vector<std::pair<part_owner, std::vector<std::size_t>>> groups(owned.begin(), owned.end());
  work_together(groups.size(), [&](std::size_t group) {
    const auto& [owner, which] = groups[group];
    for (const std::size_t i : which) try {
        accumulator_core folded(partial_core(what, begins[i]), options_for(owner, how), to);
        folded.push(op, parts[i].data, parts[i].n);
        partials[i] = folded.partial(op);
      } catch (...) {
        failures[i] = std::current_exception();
        return;
      }
  });
  for (const std::exception_ptr& why : failures)
    if (why) std::rethrow_exception(why);
  partial_core all(what, 0);
  for (const std::optional<partial_core>& p : partials)
    if (p) all.append(op, *p);
  all.result(op, to, init, result);
}

}  // namespace onefold::detail
