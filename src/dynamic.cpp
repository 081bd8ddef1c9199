// Plans whose operation and types are known at run time only: an engine, and the layout of its result.
#include "onefold/dynamic.hpp"

#include <cstring>

#include "onefold/detail/segments.hpp"
#include "onefold/detail/shape.hpp"
#include "registry.hpp"
#include "results.hpp"
#include "wishes.hpp"
#include "words.hpp"

namespace onefold {
namespace {

using detail::result_layout;

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

/// As make_problem, but checks the axes first.
extents checked_problem(dtype element, std::span<const axis> axes, const over& along, problem* made) {
  detail::check_view(axes.data(), axes.size(), axes.size(), static_cast<std::size_t>(size_of(element)));
  return detail::make_problem(axes, along, made);
}

detail::request request_for(int operation, dtype element, std::int64_t n, bool has_init, const result_layout& layout) {
  detail::request q;
  q.operation = operation;
  q.element = element;
  q.result = &layout == &detail::own_layout(operation, element) ? dtype::other : layout.members.front().type;
  q.takes_init = operation_infos()[static_cast<std::size_t>(operation)].takes_init;
  q.has_init = has_init;
  q.n = n;
  q.result_size = layout.size;
  return q;
}

detail::request request_for(int operation, dtype element, const problem& shape, bool has_init,
                            const result_layout& layout) {
  detail::request q = request_for(operation, element, shape.outputs * shape.n, has_init, layout);
  q.shape = &shape;
  return q;
}

detail::request request_for_segments(int operation, dtype element, std::int64_t segments, std::int64_t elements,
                                     bool has_init, const result_layout& layout) {
  detail::request q = request_for(operation, element, elements, has_init, layout);
  q.segmented = true;
  q.segments = segments;
  return q;
}

/// Whether offsets can have this type.
bool is_offset(dtype type) {
  return type == dtype::i32 || type == dtype::i64 || type == dtype::u32 || type == dtype::u64;
}

std::optional<dtype> result_named(std::string_view name) {
  if (name.empty()) return std::nullopt;
  return detail::same_word(name, name_of(dtype::boolean)) ? dtype::boolean : dtype_named(name);
}

}  // namespace

dynamic_results::dynamic_results(int operation, dtype element, const options& how, std::optional<dtype> result)
    : layout_(&layout_for(operation, element, how, result)),
      has_init_(write_initial(how.init, operation, *layout_, init_)) {}

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
  engine_.run(nullptr, data, n, init(), result);
}

dynamic_result dynamic_plan::run(const void* data, std::int64_t n) {
  alignas(result_alignment) std::byte result[most_result_size];
  run(data, n, result);
  return {scalars(result), report()};
}

void dynamic_plan::enqueue(const void* data, std::int64_t n, const std::int64_t* device_n, void* result,
                           CUstream_st* stream) {
  engine_.enqueue(nullptr, data, n, device_n, init(), result, stream);
}

run_report dynamic_plan::report() const { return engine_.report(); }

dynamic_shaped_plan::dynamic_shaped_plan(int operation, dtype element, std::span<const axis> axes, const over& along,
                                         const options& how, std::optional<dtype> result)
    : dynamic_results(operation, element, how, result),
      extents_(checked_problem(element, axes, along, &shape_)),
      engine_(request_for(operation, element, shape_, init() != nullptr, *layout_), how) {}

dynamic_shaped_plan::dynamic_shaped_plan(std::string_view operation, std::string_view element,
                                         std::span<const axis> axes, const over& along, const options& how,
                                         std::string_view result)
    : dynamic_shaped_plan(operation_named(operation), dtype_named(element), axes, along, how, result_named(result)) {}

void dynamic_shaped_plan::run(const void* data, void* results, std::int64_t capacity) {
  engine_.run_shape(nullptr, data, init(), results, capacity);
}

run_report dynamic_shaped_plan::report() const { return engine_.report(); }

dynamic_segmented_plan::dynamic_segmented_plan(int operation, dtype element, std::int64_t segments,
                                               std::int64_t elements, const options& how, std::optional<dtype> result)
    : dynamic_results(operation, element, how, result),
      engine_(request_for_segments(operation, element, segments, elements, init() != nullptr, *layout_), how) {}

dynamic_segmented_plan::dynamic_segmented_plan(std::string_view operation, std::string_view element,
                                               std::int64_t segments, std::int64_t elements, const options& how,
                                               std::string_view result)
    : dynamic_segmented_plan(operation_named(operation), dtype_named(element), segments, elements, how,
                             result_named(result)) {}

void dynamic_segmented_plan::run(const void* values, std::int64_t elements, const void* offsets,
                                 std::int64_t offset_count, dtype offset_type, void* results, std::int64_t capacity) {
  if (!is_offset(offset_type))
    throw error(error_code::invalid_argument, std::string("offsets of type ") + name_of(offset_type) +
                                                  " are not supported; use i32, i64, u32 or u64");
  if (elements < 0 || offset_count < 0)
    throw error(error_code::invalid_argument,
                "the number of " + std::string(elements < 0 ? "elements" : "offsets") +
                    " is negative: " + std::to_string(elements < 0 ? elements : offset_count));
  engine_.run_segments(nullptr, {values, elements, offsets, offset_count, offset_type}, init(), results, capacity);
}

run_report dynamic_segmented_plan::report() const { return engine_.report(); }

dynamic_result reduce_dynamic(int operation, dtype element, const void* data, std::int64_t n, const options& how,
                              std::optional<dtype> result) {
  return dynamic_plan(operation, element, n, how, result).run(data, n);
}

}  // namespace onefold
