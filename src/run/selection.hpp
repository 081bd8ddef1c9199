// What must hold of a mask before elements are selected by it.
#pragma once

#include "choose.hpp"
#include "onefold/detail/selection.hpp"

namespace onefold::detail {

/// Throws invalid_argument where the mask of n elements is null, and where it is in device memory that the choice's
/// backend cannot reach.
void check_mask_memory(mask_kind kind, const void* mask, std::int64_t n, const choice& c);

/// Whether bytes at `to` are some of the mask of n elements.
bool overlaps_mask(const list_selection& by, std::int64_t n, const void* to, std::int64_t bytes);

/// Checks the mask of a run whose shape, data and results were checked. Throws invalid_argument where it is null, where
/// the results would overwrite it, and where it is in device memory that the choice's backend cannot reach.
void check_selection(const void* mask, const problem& p, const choice& c, const void* results);

}  // namespace onefold::detail
