// Plans for scans whose operation and types are known at run time only.
#include <string>

#include "dynamic.hpp"
#include "onefold/dynamic.hpp"
#include "onefold/error.hpp"
#include "quantity.hpp"

namespace onefold {
namespace {

detail::scan_request request_for_scan(int operation, dtype element, std::span<const axis> axes,
                                      std::optional<int> along, scan_kind kind, bool has_init,
                                      const detail::result_layout& layout, extents* of_results) {
  detail::check_view(axes.data(), axes.size(), axes.size(), static_cast<std::size_t>(size_of(element)));
  *of_results = detail::scan_extents(axes, along);
  const array_view<std::byte> results(nullptr, *of_results);
  static_cast<void>(detail::count_results(*of_results, static_cast<std::size_t>(layout.size)));
  detail::scan_request q;
  q.operation = detail::request_for(operation, element, 0, has_init, layout);
  q.exclusive = kind == scan_kind::exclusive;
  detail::make_lines(axes, results.axes(), along, &q);
  return q;
}

}  // namespace

dynamic_scan_plan::dynamic_scan_plan(int operation, dtype element, std::span<const axis> axes, std::optional<int> along,
                                     scan_kind kind, const options& how, std::optional<dtype> result)
    : dynamic_results(operation, element, how, result),
      size_(1),
      engine_(request_for_scan(operation, element, axes, along, kind, init() != nullptr, *layout_, &extents_), how) {
  for (const std::int64_t extent : extents_) size_ *= extent;
}

dynamic_scan_plan::dynamic_scan_plan(std::string_view operation, std::string_view element, std::span<const axis> axes,
                                     std::optional<int> along, scan_kind kind, const options& how,
                                     std::string_view result)
    : dynamic_scan_plan(operation_named(operation), dtype_named(element), axes, along, kind, how,
                        detail::result_named(result)) {}

namespace {

void require_capacity(std::int64_t size, std::int64_t capacity) {
  if (capacity < size)
    throw error(error_code::invalid_argument, "the scan has " + detail::quantity(size, "result") +
                                                  ", but there is room for " + std::to_string(capacity));
}

}  // namespace

void dynamic_scan_plan::run(const void* data, void* results, std::int64_t capacity) {
  require_capacity(size_, capacity);
  engine_.run(nullptr, data, init(), results);
}

void dynamic_scan_plan::enqueue(const void* data, void* results, std::int64_t capacity, CUstream_st* stream) {
  require_capacity(size_, capacity);
  engine_.enqueue(nullptr, data, init(), results, stream);
}

run_report dynamic_scan_plan::report() const { return engine_.report(); }

}  // namespace onefold
