// The library's own functions of elements, compiled for this CPU's vectors: callers compile theirs for any CPU.
#pragma once

#include "choose.hpp"
#include "computed_pages.hpp"
#include "onefold/map_request.hpp"

namespace onefold::detail {

/// Computes lines as from.compute does, with the same bits but for those of a NaN; or returns false where the function
/// is none of those that it has, or lines are not of neighboring elements.
bool compute_known(const mapped_source& from, const mapped_lines& which, void* to);

/// The fold of pages that the function computes, for a choice; null if there is none.
computed_pages::fold find_fold_of_known(const choice& c, const mapped_source& from);

}  // namespace onefold::detail
