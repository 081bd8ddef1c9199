// Which fold computes an operation of the catalog.
#pragma once

#include "onefold/detail/level.hpp"
#include "onefold/options.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Has as `type` the fold of a catalog operation over elements T, a type of element_types, at an accuracy.
/// Specialized where the folds of the operation's family are; an operation without one does not compile.
template <class Op, class T, accuracy A>
struct fold_for;

template <class Op, class T, accuracy A>
using fold_of = typename fold_for<Op, T, A>::type;

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
