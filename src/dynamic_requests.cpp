// What dynamic plans ask for: requests whose types are known at run time, over what the caller describes.
#include <algorithm>
#include <string>

#include "ascii.hpp"
#include "dynamic.hpp"
#include "onefold/detail/shape.hpp"
#include "onefold/error.hpp"
#include "run/checks.hpp"

namespace onefold::detail {

request request_for(int operation, dtype element, std::int64_t n, bool has_init, const result_layout& layout) {
  request q;
  q.operation = operation;
  q.element = element;
  q.result = &layout == &own_layout(operation, element) ? dtype::other : layout.members.front().type;
  q.takes_init = operation_infos()[static_cast<std::size_t>(operation)].takes_init;
  q.has_init = has_init;
  q.n = n;
  q.result_size = layout.size;
  return q;
}

std::optional<dtype> result_named(std::string_view name) {
  if (name.empty()) return std::nullopt;
  return equals_ignoring_case(name, name_of(dtype::boolean)) ? dtype::boolean : dtype_named(name);
}

mask_view checked_mask(dtype element, std::span<const axis> axes, const mask_layout& mask) {
  mask_view m{mask.kind, dtype::other, nullptr, mask.offset, mask.axes.size(), {}};
  if (mask.kind == mask_kind::not_nan) {
    m = {};
    if (element == dtype::f32 || element == dtype::f64 || element == dtype::f16 || element == dtype::bf16)
      m = {mask_kind::not_nan, element, nullptr, 0, 0, {}};
    return m;
  }
  if (mask.kind >= mask_kind::all)
    throw error(error_code::invalid_argument, "unknown kind of mask " + std::to_string(static_cast<int>(mask.kind)));
  check_view(mask.axes.data(), mask.axes.size(), mask.axes.size(), 1);
  std::ranges::copy(mask.axes, m.axes);
  check_mask(axes, m);
  return m;
}

extents checked_problem(dtype element, std::span<const axis> axes, const over& along, problem* made) {
  check_view(axes.data(), axes.size(), axes.size(), static_cast<std::size_t>(size_of(element)));
  return make_problem(axes, along, made);
}

extents checked_selection(dtype element, std::span<const axis> axes, const mask_layout& mask, const over& along,
                          problem* made, selection* by) {
  check_view(axes.data(), axes.size(), axes.size(), static_cast<std::size_t>(size_of(element)));
  return make_selected_problem(axes, checked_mask(element, axes, mask), along, made, by);
}

request over_shape(request q, const problem& shape) {
  q.n = shape.outputs * shape.n;
  q.shape = &shape;
  return q;
}

request over_selection(request q, const problem& shape, const selection& by) {
  q = over_shape(q, shape);
  if (by.kind != mask_kind::all) q.selects = &by;
  return q;
}

request over_segments(request q, std::int64_t segments, std::int64_t elements) {
  q.n = elements;
  q.segmented = true;
  q.segments = segments;
  return q;
}

request by_keys(request q, dtype keys, std::int64_t elements) {
  if (keys > dtype::other)
    throw error(error_code::invalid_argument, "unknown type of keys " + std::to_string(static_cast<int>(keys)));
  if (keys >= dtype::boolean)
    throw error(error_code::unsupported,
                std::string("keys of type ") + name_of(keys) + " are not supported; use an element type");
  q = over_segments(q, elements, elements);
  q.keys = keys;
  return q;
}

}  // namespace onefold::detail
