// Dynamic plans with an operation as text.
#include <string>

#include "dynamic.hpp"
#include "onefold/dynamic.hpp"
#include "onefold/error.hpp"
#include "run/checks.hpp"
#include "source/compiled.hpp"

namespace onefold {
namespace {

using detail::compiled;
using detail::kernel_set;
using detail::simplified;

/// Writes the initial value, if there is one, as a number of the result's type; whether there is one.
bool write_initial(const initial& init, const detail::compiled_source& source, void* value) {
  if (!detail::is_given(init)) return false;
  if (!source.takes_init || source.member.type == dtype::other)
    throw error(error_code::invalid_argument,
                source.name + " takes no initial value: " +
                    (source.takes_init ? "its result is not a number" : "it has no start(init)"));
  detail::convert_initial_value(init, source.member.type, value);
  return true;
}

/// The kernels that a reduction over axes takes: over all of them it is an array's.
kernel_set kernels_over(const problem& shape) {
  return simplified(detail::over_shape({}, shape)).shape ? kernel_set::shape : kernel_set::array;
}

kernel_set kernels_over(dtype element, std::span<const axis> axes, const over& along) {
  problem shape;
  detail::checked_problem(element, axes, along, &shape);
  return kernels_over(shape);
}

/// Those of selected elements, which are segments unless all elements are.
kernel_set kernels_of_selection(dtype element, std::span<const axis> axes, const mask_layout& mask, const over& along) {
  problem shape;
  selection by;
  detail::checked_selection(element, axes, mask, along, &shape, &by);
  return by.kind == mask_kind::all ? kernels_over(shape) : kernel_set::segments;
}

}  // namespace

dynamic_results::dynamic_results(const detail::compiled_source& source, const options& how)
    : layout_(&source.layout), source_(&source), has_init_(write_initial(how.init, source, init_)) {}

const void* dynamic_results::op() const { return source_ ? source_->op : nullptr; }

dynamic_plan::dynamic_plan(const source_operation& operation, std::int64_t n, const options& how)
    : dynamic_results(compiled(operation, how, kernel_set::array), how),
      n_(n),
      engine_(request_for(*source_, n, init() != nullptr), how) {}

dynamic_shaped_plan::dynamic_shaped_plan(const source_operation& operation, std::span<const axis> axes,
                                         const over& along, const options& how)
    : dynamic_results(compiled(operation, how, kernels_over(operation.element, axes, along)), how),
      extents_(detail::checked_problem(operation.element, axes, along, &shape_)),
      engine_(over_shape(request_for(*source_, 0, init() != nullptr), shape_), how) {}

dynamic_segmented_plan::dynamic_segmented_plan(const source_operation& operation, std::int64_t segments,
                                               std::int64_t elements, const options& how)
    : dynamic_results(compiled(operation, how, kernel_set::segments), how),
      element_(operation.element),
      engine_(over_segments(request_for(*source_, 0, init() != nullptr), segments, elements), how) {}

dynamic_keyed_plan::dynamic_keyed_plan(const source_operation& operation, dtype keys, std::int64_t elements,
                                       const options& how)
    : dynamic_results(compiled(operation, how, kernel_set::segments), how),
      element_(operation.element),
      keys_(keys),
      engine_(by_keys(request_for(*source_, 0, init() != nullptr), keys, elements), how) {}

dynamic_selected_plan::dynamic_selected_plan(const source_operation& operation, std::span<const axis> axes,
                                             const mask_layout& mask, const over& along, const options& how)
    : dynamic_results(compiled(operation, how, kernels_of_selection(operation.element, axes, mask, along)), how),
      extents_(detail::checked_selection(operation.element, axes, mask, along, &shape_, &by_)),
      engine_(over_selection(request_for(*source_, 0, init() != nullptr), shape_, by_), how) {}

dynamic_result reduce_dynamic(const source_operation& operation, const void* data, std::int64_t n, const options& how) {
  return dynamic_plan(operation, n, how).run(data, n);
}

}  // namespace onefold
