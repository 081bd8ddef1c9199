// The part of a reduction over some axes that knows no element type.
#pragma once

#include <span>

#include "onefold/array_view.hpp"
#include "onefold/detail/engine.hpp"
#include "onefold/problem.hpp"

namespace onefold::detail {

/// The problem of reducing a view over some axes, and the extents of its result. Throws invalid_argument for axes that
/// the view does not have, or that are named twice.
ONEFOLD_API extents make_problem(std::span<const axis> axes, const over& along, problem* made);

/// Chooses and reduces once: outputs of the request's shape into `results`, which has room for `capacity` of them. `op`
/// and `init` are as in the recipe. `ran` is null, or gets what ran.
ONEFOLD_API void run_shape_once(const request& what, const options& how, const void* op, const void* data,
                                const void* init, void* results, std::int64_t capacity, run_report* ran);

}  // namespace onefold::detail
