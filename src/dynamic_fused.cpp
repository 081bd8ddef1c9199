// Several reductions of one array by names: the parts of a pass, and the layouts of their results.
#include "onefold/dynamic_fused.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "dynamic.hpp"
#include "onefold/detail/fused.hpp"
#include "quantity.hpp"
#include "run/checks.hpp"

namespace onefold {
namespace {

std::vector<int> places_of(std::span<const std::string_view> names) {
  std::vector<int> places;
  std::ranges::transform(names, std::back_inserter(places), operation_named);
  return places;
}

}  // namespace

dynamic_fused::dynamic_fused(std::span<const int> list, dtype element, const options& how, std::optional<dtype> result)
    : element_(element), how_(how) {
  parts_.reserve(list.size());
  for (const int operation : list) parts_.emplace_back(operation, element, how, result);
}

dynamic_fused::dynamic_fused(std::span<const std::string_view> list, std::string_view element, const options& how,
                             std::string_view result)
    : dynamic_fused(places_of(list), dtype_named(element), how, detail::result_named(result)) {}

std::vector<run_report> dynamic_fused::run(const void* data, std::int64_t n, std::span<void* const> to) {
  if (to.size() != size())
    detail::refuse(detail::there_are(size(), "operation") + ", but room for " + detail::quantity(to.size(), "result"));
  std::vector<detail::fused_part> calls;
  for (std::size_t i = 0; i < size(); ++i) {
    const part& p = parts_[i];
    if (!to[i]) detail::refuse("the result pointer is null");
    detail::require_aligned(to[i], p.layout_->align, "the result is");
    calls.push_back(
        {detail::request_for(p.operation, element_, n, p.init() != nullptr, *p.layout_), nullptr, p.init(), to[i]});
  }
  std::vector<run_report> ran(size());
  detail::run_fused(calls, how_, data, ran.data());
  return ran;
}

std::vector<dynamic_result> dynamic_fused::run(const void* data, std::int64_t n) {
  struct alignas(result_alignment) room {
    std::byte bytes[most_result_size];
  };
  std::vector<room> memory(size());
  std::vector<void*> to;
  to.reserve(size());
  for (room& r : memory) to.push_back(&r);
  const std::vector<run_report> ran = run(data, n, to);
  std::vector<dynamic_result> all;
  all.reserve(size());
  for (std::size_t i = 0; i < size(); ++i) all.push_back({parts_[i].scalars(to[i]), ran[i]});
  return all;
}

}  // namespace onefold
