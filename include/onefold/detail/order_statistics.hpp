// The part of order statistics that knows no type.
#pragma once

#include <cstdint>
#include <span>

#include "onefold/options.hpp"
#include "onefold/report.hpp"
#include "onefold/types.hpp"

namespace onefold {

/// What a quantile between two elements is.
enum class quantile_method : std::uint8_t {
  linear,   ///< the number between them, as NumPy's default
  lower,    ///< the smaller one
  higher,   ///< the larger one
  nearest,  ///< the nearer one; of two that are equally near the one at an even position
};

}  // namespace onefold

namespace onefold::detail {

/// In which order elements are: -0 < +0, and all NaN are equal.
struct element_order {
  bool descending = false;
  bool nan_first = false;
};

/// Writes to values[i], of the elements' type, the element at ranks[i] (from 0) of n elements at data, if they were
/// sorted: -0 < +0, and every NaN, the canonical one, after all numbers. Ranks ascend, 0 <= rank < n. Writes what
/// worked to *ran, if it is not null. On the CPU; throws unsupported where backend cuda was asked for or the data is in
/// device memory, and as a reduction does.
ONEFOLD_API void select_ranks(dtype element, const void* data, std::int64_t n, std::span<const std::int64_t> ranks,
                              void* values, const options& how, run_report* ran);

/// Writes the quantiles of the `numbers` smallest of n elements at data, f64 of f64 and integers, else f32, to results:
/// as `quantiles` says. Throws as select_ranks, and invalid_argument for what is not between 0 and 1.
ONEFOLD_API void select_quantiles(dtype element, const void* data, std::int64_t n, std::int64_t numbers,
                                  std::span<const double> list, quantile_method method, void* results,
                                  const options& how, run_report* ran);

/// Throws invalid_argument where n elements do not have k first ones.
ONEFOLD_API void require_count(std::int64_t k, std::int64_t n);

/// Writes the first k of n elements at data in an order, and of equal ones those with the lowest indices, to values, of
/// the elements' type, and their indices. Without NaN in front, there must be k elements that are not NaN. Throws as
/// select_ranks and require_count.
ONEFOLD_API void select_first(dtype element, const void* data, std::int64_t n, std::int64_t k, element_order order,
                              void* values, std::int64_t* indices, const options& how);

}  // namespace onefold::detail
