// What must hold of a mask before elements are selected by it.
#pragma once

#include "choose.hpp"
#include "onefold/detail/selection.hpp"

namespace onefold::detail {

/// Checks the mask of a run whose shape, data and results were checked. Throws invalid_argument where it is null, where
/// the results would overwrite it, and where it is in device memory but the CPU is to read it.
void check_selection(const void* mask, const problem& p, const choice& c, const void* results);

}  // namespace onefold::detail
