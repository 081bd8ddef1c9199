// The operations of the catalogue; ends with their list.
#pragma once

#include "onefold/operations/arg.hpp"
#include "onefold/operations/extrema.hpp"
#include "onefold/operations/logic.hpp"
#include "onefold/operations/moments.hpp"
#include "onefold/operations/product.hpp"
#include "onefold/operations/squares.hpp"
#include "onefold/operations/sum.hpp"
#include "onefold/operations/sum_with_bound.hpp"

namespace onefold {
inline namespace ONEFOLD_LEVEL {

/// All operations of the catalogue. This list is the only one: the library's instances, the tests, the
/// benchmark, the program and the documentation iterate it.
using operations =
    type_list<op::sum, op::product, op::min, op::max, op::fmin, op::fmax, op::argmin, op::argmax, op::minmax,
              op::sum_with_bound, op::sum_squares, op::norm2, op::mean, op::moments, op::variance, op::sample_variance,
              op::stddev, op::sample_stddev, op::count, op::all, op::any, op::bit_and, op::bit_or, op::bit_xor>;

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
