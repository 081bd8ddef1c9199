// Plans whose operation and types are known at run time only: an engine, and the layout of its result.
#include "onefold/dynamic.hpp"

#include <algorithm>
#include <cstring>

#include "dynamic.hpp"
#include "onefold/detail/segments.hpp"
#include "onefold/detail/selection.hpp"
#include "onefold/detail/shape.hpp"
#include "registry.hpp"
#include "resolve.hpp"
#include "results.hpp"
#include "run/checks.hpp"

namespace onefold {
namespace {

using detail::by_keys;
using detail::over_segments;
using detail::over_selection;
using detail::over_shape;
using detail::request_for;
using detail::result_layout;
using detail::result_named;

std::string name_of_operation(int operation) {
  return std::string(operation_infos()[static_cast<std::size_t>(operation)].name);
}

/// The layout of the result that is asked for. Throws where there is no such reduction.
const result_layout& layout_for(int operation, dtype element, const options& how, std::optional<dtype> result) {
  detail::check_choices(how);
  for (const dtype named : {element, result.value_or(dtype::other)})
    if (named > dtype::other)
      throw error(error_code::invalid_argument, "unknown element type " + std::to_string(static_cast<int>(named)));
  detail::require_entry(operation, element, how.accuracy);
  if (!result) return detail::own_layout(operation, element);
  if (const result_layout* const found = detail::find_layout(operation, element, *result)) return *found;
  throw error(error_code::unsupported, name_of_operation(operation) + " of " + name_of(element) +
                                           " has no result of type " + name_of(*result) +
                                           ": rounded results can be f32 or f64 (of floating-point elements also f16 "
                                           "or bf16), others have their own type");
}

/// Writes the initial value, if there is one, as a number of the result's type; whether there is one.
bool write_initial(const initial& init, int operation, const result_layout& layout, void* value) {
  if (std::holds_alternative<std::monostate>(init.value())) return false;
  if (layout.members.size() > 1)
    throw error(error_code::invalid_argument, name_of_operation(operation) + " takes no initial value");
  detail::convert_initial_value(init, layout.members.front().type, value);
  return true;
}

/// What a mask selects from a list of n elements. Throws as checked_mask does.
list_selection checked_selection(dtype element, std::int64_t n, const list_selection& by) {
  if (by.kind == mask_kind::all) return {};
  const axis list{n, by.stride};
  detail::mask_view m = detail::checked_mask(element, {&list, 1}, {by.kind, {&list, 1}, by.offset});
  m.data = by.mask;
  return detail::select_from_list(n, m);
}

/// Whether offsets can have this type.
bool is_offset(dtype type) {
  return type == dtype::i32 || type == dtype::i64 || type == dtype::u32 || type == dtype::u64;
}

}  // namespace

dynamic_results::dynamic_results(int operation, dtype element, const options& how, std::optional<dtype> result)
    : layout_(&layout_for(operation, element, how, result)),
      has_init_(write_initial(how.init, operation, *layout_, init_)) {}

dynamic_results::dynamic_results(const detail::result_layout& layout) : layout_(&layout), has_init_(false) {}

int dynamic_results::result_size() const { return layout_->size; }

std::span<const result_member> dynamic_results::members() const { return layout_->members; }

std::vector<scalar> dynamic_results::scalars(const void* result) const {
  std::vector<scalar> numbers;
  numbers.reserve(members().size());
  for (const result_member& m : members()) {
    scalar& s = numbers.emplace_back(scalar{m.name, m.type, 0});
    std::memcpy(&s.bits, static_cast<const std::byte*>(result) + m.offset, static_cast<std::size_t>(size_of(m.type)));
  }
  return numbers;
}

dynamic_plan::dynamic_plan(int operation, dtype element, std::int64_t n, const options& how,
                           std::optional<dtype> result)
    : dynamic_results(operation, element, how, result),
      n_(n),
      engine_(request_for(operation, element, n, init() != nullptr, *layout_), how) {}

dynamic_plan::dynamic_plan(std::string_view operation, std::string_view element, std::int64_t n, const options& how,
                           std::string_view result)
    : dynamic_plan(operation_named(operation), dtype_named(element), n, how, result_named(result)) {}

void dynamic_plan::run(const void* data, std::int64_t n, void* result) {
  if (!result) throw error(error_code::invalid_argument, "the result pointer is null");
  detail::require_aligned(result, layout_->align, "the result is");
  engine_.run(op(), data, n, init(), result);
}

dynamic_result dynamic_plan::run(const void* data, std::int64_t n) {
  // Of operations as text results have any size.
  std::vector<std::uint64_t> result((static_cast<std::size_t>(result_size()) + 7) / 8);
  run(data, n, result.data());
  return {scalars(result.data()), report()};
}

void dynamic_plan::enqueue(const void* data, std::int64_t n, const std::int64_t* device_n, void* result,
                           CUstream_st* stream) {
  engine_.enqueue(op(), data, n, device_n, init(), result, stream);
}

run_report dynamic_plan::report() const { return engine_.report(); }

dynamic_shaped_plan::dynamic_shaped_plan(int operation, dtype element, std::span<const axis> axes, const over& along,
                                         const options& how, std::optional<dtype> result)
    : dynamic_results(operation, element, how, result),
      extents_(detail::checked_problem(element, axes, along, &shape_)),
      engine_(over_shape(request_for(operation, element, 0, init() != nullptr, *layout_), shape_), how) {}

dynamic_shaped_plan::dynamic_shaped_plan(std::string_view operation, std::string_view element,
                                         std::span<const axis> axes, const over& along, const options& how,
                                         std::string_view result)
    : dynamic_shaped_plan(operation_named(operation), dtype_named(element), axes, along, how, result_named(result)) {}

void dynamic_shaped_plan::run(const void* data, void* results, std::int64_t capacity) {
  engine_.run_shape(op(), data, init(), results, capacity);
}

void dynamic_shaped_plan::enqueue(const void* data, void* results, std::int64_t capacity, CUstream_st* stream) {
  engine_.enqueue_shape(op(), data, init(), results, capacity, stream);
}

run_report dynamic_shaped_plan::report() const { return engine_.report(); }

dynamic_segmented_plan::dynamic_segmented_plan(int operation, dtype element, std::int64_t segments,
                                               std::int64_t elements, const options& how, std::optional<dtype> result)
    : dynamic_results(operation, element, how, result),
      element_(element),
      engine_(over_segments(request_for(operation, element, 0, init() != nullptr, *layout_), segments, elements), how) {
}

dynamic_segmented_plan::dynamic_segmented_plan(std::string_view operation, std::string_view element,
                                               std::int64_t segments, std::int64_t elements, const options& how,
                                               std::string_view result)
    : dynamic_segmented_plan(operation_named(operation), dtype_named(element), segments, elements, how,
                             result_named(result)) {}

namespace {

detail::segment_data checked_segments(const void* values, std::int64_t elements, const void* offsets,
                                      std::int64_t offset_count, dtype offset_type, dtype element,
                                      const list_selection& selects) {
  if (!is_offset(offset_type))
    throw error(error_code::invalid_argument, std::string("offsets of type ") + name_of(offset_type) +
                                                  " are not supported; use i32, i64, u32 or u64");
  if (elements < 0 || offset_count < 0)
    throw error(error_code::invalid_argument,
                "the number of " + std::string(elements < 0 ? "elements" : "offsets") +
                    " is negative: " + std::to_string(elements < 0 ? elements : offset_count));
  return {values, elements, offsets, offset_count, offset_type, checked_selection(element, elements, selects)};
}

}  // namespace

void dynamic_segmented_plan::run(const void* values, std::int64_t elements, const void* offsets,
                                 std::int64_t offset_count, dtype offset_type, void* results, std::int64_t capacity,
                                 const list_selection& selects) {
  engine_.run_segments(op(), checked_segments(values, elements, offsets, offset_count, offset_type, element_, selects),
                       init(), results, capacity);
}

void dynamic_segmented_plan::enqueue(const void* values, std::int64_t elements, const void* offsets,
                                     std::int64_t offset_count, dtype offset_type, void* results, std::int64_t capacity,
                                     CUstream_st* stream, const list_selection& selects) {
  engine_.enqueue_segments(op(),
                           checked_segments(values, elements, offsets, offset_count, offset_type, element_, selects),
                           init(), results, capacity, stream);
}

run_report dynamic_segmented_plan::report() const { return engine_.report(); }

dynamic_keyed_plan::dynamic_keyed_plan(int operation, dtype element, dtype keys, std::int64_t elements,
                                       const options& how, std::optional<dtype> result)
    : dynamic_results(operation, element, how, result),
      element_(element),
      keys_(keys),
      engine_(by_keys(request_for(operation, element, 0, init() != nullptr, *layout_), keys, elements), how) {}

dynamic_keyed_plan::dynamic_keyed_plan(std::string_view operation, std::string_view element, std::string_view keys,
                                       std::int64_t elements, const options& how, std::string_view result)
    : dynamic_keyed_plan(operation_named(operation), dtype_named(element), dtype_named(keys), elements, how,
                         result_named(result)) {}

detail::key_data dynamic_keyed_plan::data_of(const void* values, const void* keys, std::int64_t n, grouping by,
                                             const list_selection& selects) const {
  if (n < 0) throw error(error_code::invalid_argument, "the number of elements is negative: " + std::to_string(n));
  return {values, n, size_of(element_), keys, n, keys_, by == grouping::runs, checked_selection(element_, n, selects)};
}

std::int64_t dynamic_keyed_plan::run(const void* values, const void* keys, std::int64_t n, grouping by, void* found,
                                     void* results, std::int64_t capacity, const list_selection& selects) {
  if (by > grouping::runs)
    throw error(error_code::invalid_argument, "unknown grouping " + std::to_string(static_cast<int>(by)));
  const detail::key_data from = data_of(values, keys, n, by, selects);
  const std::int64_t count = engine_.group(from);
  engine_.run_groups(op(), from, init(), {found, capacity, results, capacity});
  return count;
}

void dynamic_keyed_plan::enqueue_runs(const void* values, const void* keys, std::int64_t n, void* found, void* results,
                                      std::int64_t capacity, std::int64_t* count, CUstream_st* stream,
                                      const list_selection& selects) {
  engine_.enqueue_groups(op(), data_of(values, keys, n, grouping::runs, selects), init(),
                         {found, capacity, results, capacity}, count, stream);
}

run_report dynamic_keyed_plan::report() const { return engine_.report(); }

dynamic_selected_plan::dynamic_selected_plan(int operation, dtype element, std::span<const axis> axes,
                                             const mask_layout& mask, const over& along, const options& how,
                                             std::optional<dtype> result)
    : dynamic_results(operation, element, how, result),
      extents_(detail::checked_selection(element, axes, mask, along, &shape_, &by_)),
      engine_(over_selection(request_for(operation, element, 0, init() != nullptr, *layout_), shape_, by_), how) {}

dynamic_selected_plan::dynamic_selected_plan(std::string_view operation, std::string_view element,
                                             std::span<const axis> axes, const mask_layout& mask, const over& along,
                                             const options& how, std::string_view result)
    : dynamic_selected_plan(operation_named(operation), dtype_named(element), axes, mask, along, how,
                            result_named(result)) {}

void dynamic_selected_plan::run(const void* data, const void* mask, void* results, std::int64_t capacity) {
  engine_.run_selected(op(), {data, is_in_memory(by_.kind) ? mask : nullptr}, init(), results, capacity);
}

void dynamic_selected_plan::enqueue(const void* data, const void* mask, void* results, std::int64_t capacity,
                                    CUstream_st* stream) {
  engine_.enqueue_selected(op(), {data, is_in_memory(by_.kind) ? mask : nullptr}, init(), results, capacity, stream);
}

run_report dynamic_selected_plan::report() const { return engine_.report(); }

dynamic_result reduce_dynamic(int operation, dtype element, const void* data, std::int64_t n, const options& how,
                              std::optional<dtype> result) {
  return dynamic_plan(operation, element, n, how, result).run(data, n);
}

}  // namespace onefold
