// Plans for row operations that are known at run time only, and the names of those.
#include <algorithm>
#include <string>
#include <utility>

#include "ascii.hpp"
#include "dynamic.hpp"
#include "onefold/detail/shape.hpp"
#include "onefold/dynamic.hpp"
#include "onefold/error.hpp"
#include "quantity.hpp"
#include "results.hpp"
#include "run/checks.hpp"

namespace onefold {
namespace {

/// In the order of row_operation.
constexpr std::string_view names[] = {"softmax",      "log_softmax",  "logsumexp",     "layer_norm", "rms_norm",
                                      "normalize_l1", "normalize_l2", "normalize_max", "standardize"};

bool has_rows(dtype t) { return t == dtype::f16 || t == dtype::bf16 || t == dtype::f32 || t == dtype::f64; }

/// Results have the type of elements, as those of max. Throws for elements that have no rows.
const detail::result_layout& layout_of_rows(row_operation operation, dtype element) {
  if (static_cast<std::size_t>(operation) >= std::size(names))
    detail::refuse("unknown row operation " + std::to_string(static_cast<int>(operation)));
  if (element > dtype::other) detail::refuse("unknown element type " + std::to_string(static_cast<int>(element)));
  if (!has_rows(element))
    throw error(error_code::unsupported, std::string(names[static_cast<std::size_t>(operation)]) + " of " +
                                             name_of(element) +
                                             " is not supported; row operations take f16, bf16, f32 or f64");
  return detail::own_layout(operation_index<op::max>, element);
}

/// softmax and its kin have no eps, nor has standardize.
void require_eps_taken(row_operation operation, std::optional<double> eps) {
  if (eps && (operation <= row_operation::logsumexp || operation == row_operation::standardize))
    detail::refuse(std::string(names[static_cast<std::size_t>(operation)]) + " takes no eps");
}

std::size_t size_given(std::int64_t size, const char* what) {
  if (size < 0)
    detail::refuse("the number of values of the " + std::string(what) + " is negative: " + std::to_string(size));
  return static_cast<std::size_t>(size);
}

row_problem problem_of_rows(row_operation operation, dtype element, std::span<const axis> axes, int along,
                            const dynamic_row_parameters& with, extents* of_results) {
  detail::check_view(axes.data(), axes.size(), axes.size(), static_cast<std::size_t>(size_of(element)));
  *of_results = detail::row_extents(axes, along, operation);
  static_cast<void>(detail::count_results(*of_results, static_cast<std::size_t>(size_of(element))));
  require_eps_taken(operation, with.eps);
  const array_view<std::byte> results(nullptr, *of_results);
  std::size_t lines = 0;
  if (with.statistics) {
    lines = 1;
    for (const std::int64_t extent : detail::row_extents(axes, along, row_operation::logsumexp))
      lines *= static_cast<std::size_t>(extent);
  }
  const detail::mask_view mask = with.mask ? detail::checked_mask(element, axes, *with.mask) : detail::mask_view{};
  return detail::make_rows(operation, element, {axes, mask}, results.axes(), along, with.eps,
                           {size_given(with.weights, "weight"), size_given(with.biases, "bias"), lines, lines});
}

}  // namespace

dynamic_row_plan::dynamic_row_plan(row_operation operation, dtype element, std::span<const axis> axes, int along,
                                   const dynamic_row_parameters& with, const options& how)
    : dynamic_results(layout_of_rows(operation, element)),
      size_(1),
      with_(with),
      engine_(problem_of_rows(operation, element, axes, along, with, &extents_), how) {
  if (with_.mask) with_.mask->axes = {};  // the caller's
  for (const std::int64_t extent : extents_) size_ *= extent;
}

dynamic_row_plan::dynamic_row_plan(std::string_view operation, std::string_view element, std::span<const axis> axes,
                                   int along, const dynamic_row_parameters& with, const options& how)
    : dynamic_row_plan(row_operation_named(operation), dtype_named(element), axes, along, with, how) {}

void dynamic_row_plan::run(const row_memory& memory, std::int64_t capacity, const void* mask) {
  if (capacity < size_)
    detail::refuse("the row operation has " + detail::quantity(size_, "result") + ", but there is room for " +
                   std::to_string(capacity));
  for (const auto& [p, needed] : {std::pair{memory.weight, with_.weights > 0},
                                  {memory.bias, with_.biases > 0},
                                  {static_cast<const void*>(memory.mean), with_.statistics},
                                  {static_cast<const void*>(memory.rstd), with_.statistics},
                                  {mask, with_.mask && is_in_memory(with_.mask->kind)}})
    if ((p != nullptr) != needed) detail::refuse("the parameters are not those that the plan was made for");
  engine_.run(memory, {.mask = mask});
}

run_report dynamic_row_plan::report() const { return engine_.report(); }

std::span<const std::string_view> row_operation_names() { return names; }

row_operation row_operation_named(std::string_view name) {
  if (detail::equals_ignoring_case(name, "normalize_linf")) return row_operation::normalize_max;
  const auto* const found =
      std::ranges::find_if(names, [&](std::string_view known) { return detail::equals_ignoring_case(name, known); });
  if (found == std::end(names)) throw unknown_name("row operation", name, names);
  return static_cast<row_operation>(found - std::begin(names));
}

}  // namespace onefold
