// The plan of a row operation, and the files with its weight and bias.
#include "rows.hpp"

#include <fmt/format.h>

#include "choices.hpp"
#include "input/failure.hpp"
#include "input/unpack.hpp"
#include "onefold/error.hpp"

namespace onefold::cli {
namespace {

std::string name_of_row_operation(row_operation o) {
  return std::string(row_operation_names()[static_cast<std::size_t>(o)]);
}

/// Refuses a weight or a bias that the operation does not take, before their files are read.
row_operation operation_with_parameters(const arguments& given) try {
  const row_operation o = chosen_row_operation(given.operation);
  const axis element{1, 1};
  const dynamic_row_parameters one_each{.weights = given.weight ? 1 : 0, .biases = given.bias ? 1 : 0};
  static_cast<void>(dynamic_row_plan(o, dtype::f32, {&element, 1}, 0, one_each,
                                     {.backend = backend::sequential, .environment = false}));
  return o;
} catch (const error& e) {
  throw failure(exit_code::wrong_usage, e.what());
}

}  // namespace

rows::rows(const arguments& given)
    : computation(given, std::vector{static_cast<int>(operation_with_parameters(given))}, true),
      operation_(static_cast<row_operation>(list_.front().operation)),
      along_(given.axes.empty() ? -1 : chosen_axis(given.axes.front())),
      weight_(parameter_of("--weight", given.weight, given)),
      bias_(parameter_of("--bias", given.bias, given)) {
  if (given.eps) eps_ = chosen_eps(*given.eps);
  if (given.skip_nan) mask_ = mask_layout{};
}

rows::parameter rows::parameter_of(const char* option, const std::optional<std::string>& path, const arguments& given) {
  parameter p{option, std::nullopt};
  if (!path) return p;
  if (is_standard_input(*path)) throw unusable(option, "a file", *path);
  input_request request;
  request.paths = {*path};
  if (given.dtype) request.type = chosen_dtype(*given.dtype);
  if (given.input) request.format = chosen_format(*given.input);
  progress_counter counted;
  p.file.emplace(request, counted);
  if (p.file->axes().size() > 1)
    throw failure(exit_code::bad_data,
                  fmt::format("{}: expected one axis, found {}", spelled_out(*path), p.file->axes().size()));
  return p;
}

/// Throws an error, not a failure: the file whose type decides is not to blame, and readers add its name to failures.
void rows::parameter::require_type(dtype type) const {
  if (file && file->type() != type)
    throw error(error_code::invalid_argument,
                fmt::format("{}: expected elements of type {}, as those of the data, found {}", option, name_of(type),
                            name_of(file->type())));
}

operation_results rows::tried(const one& r, dtype type) const {
  const std::uint64_t zero = 0;
  const axis element{1, 1};
  alignas(result_alignment) std::byte result[most_result_size];
  dynamic_row_plan plan(operation_, type, {&element, 1}, 0, {.eps = eps_}, r.how);
  plan.run({&zero, result, nullptr, nullptr, nullptr, nullptr}, 1);
  for (const parameter* p : {&weight_, &bias_}) p->require_type(type);
  return {name_of_row_operation(operation_), plan};
}

void rows::accept_shape(dtype type, std::span<const axis> axes) const { static_cast<void>(planned(type, axes)); }

dynamic_row_plan rows::planned(dtype type, std::span<const axis> axes) const {
  dynamic_row_plan plan(operation_, type, axes, along_, {eps_, weight_.count(), bias_.count(), false, mask_},
                        list_.front().how);
  // To the plan, none of them is none given.
  const std::int64_t places = axes[static_cast<std::size_t>(along_ < 0 ? along_ + std::ssize(axes) : along_)].extent;
  for (const parameter* p : {&weight_, &bias_})
    if (p->file && p->count() == 0 && places > 0)
      throw error(error_code::invalid_argument, fmt::format("{}: expected {} values, found none", p->option, places));
  return plan;
}

std::vector<reduced> rows::run(const loaded_array& array, const reduced_input&) const {
  dynamic_row_plan plan = planned(array.type(), array.axes());
  std::vector<reduced> all;
  all.push_back(results_of(name_of_row_operation(operation_), plan, plan.extents(), plan.size(), [&](void* results) {
    plan.run({array.bytes().data(), results, weight_.data(), bias_.data(), nullptr, nullptr}, plan.size());
  }));
  all.back().count = array.count();
  for (const parameter* p : {&weight_, &bias_})
    if (p->file) p->file->check_unchanged();
  return all;
}

}  // namespace onefold::cli
