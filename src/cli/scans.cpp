// Plans for scans, of one column or array.
#include "scans.hpp"

#include <fmt/format.h>

#include "choices.hpp"
#include "input/failure.hpp"

namespace onefold::cli {

scans::scans(const arguments& given)
    : computation(given, chosen_scan_operations(given.operation), !given.axes.empty() || given.shape.has_value()),
      kind_(given.exclusive ? scan_kind::exclusive : scan_kind::inclusive) {
  if (!given.axes.empty()) along_ = chosen_axis(given.axes.front());
  for (const one& r : list_) {
    const operation_info& info = operation_infos()[static_cast<std::size_t>(r.operation)];
    if (given.exclusive && !given.init && !info.empty_allowed)
      throw failure(exit_code::wrong_usage,
                    fmt::format("--exclusive: the first result is {} of no elements, which has no value; {}", info.name,
                                info.takes_init ? "add --init NUMBER" : "leave out --exclusive"));
  }
}

void scans::describe_lines(reduced_input& from) const {
  from.scanned = kind_;
  from.along = along_;
}

operation_results scans::tried(const one& r, dtype type) const {
  const std::uint64_t zero = 0;
  const axis element{1, 1};
  alignas(result_alignment) std::byte result[most_result_size];
  dynamic_scan_plan plan(r.operation, type, {&element, 1}, std::nullopt, scan_kind::inclusive, r.how, result_);
  plan.run(&zero, result, 1);
  return {operation_name(r.operation), plan};
}

void scans::accept_shape(dtype type, std::span<const axis> axes) const {
  for (const one& r : list_) static_cast<void>(planned(r, type, axes));
}

dynamic_scan_plan scans::planned(const one& r, dtype type, std::span<const axis> axes) const {
  return {r.operation, type,   along_ ? std::vector(axes.begin(), axes.end()) : joined(axes), along_, kind_,
          r.how,       result_};
}

std::vector<reduced> scans::run(const loaded_array& array, const reduced_input&) const {
  std::vector<reduced> all;
  for (const one& r : list_) {
    dynamic_scan_plan plan = planned(r, array.type(), array.axes());
    all.push_back(results_of(operation_name(r.operation), plan, plan.extents(), plan.size(),
                             [&](void* results) { plan.run(array.bytes().data(), results, plan.size()); }));
    all.back().count = array.count();
  }
  return all;
}

}  // namespace onefold::cli
