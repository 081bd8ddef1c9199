// How the CPU folds what is in the catalog: by pages, searches, exact sums.
#pragma once

#include "onefold/detail/folds/exact_runs.hpp"
#include "onefold/detail/folds/search_runs.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

template <of_library F, class T>
struct run_strategy<F, T> : std::conditional_t<adds_exactly<F>, exact_runs<F, T>,
                                               std::conditional_t<searches<F>, search_runs<F, T>, page_runs<F, T>>> {};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
