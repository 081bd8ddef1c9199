// The folds of the catalog's operations, and how they are folded. Compiled into the library and its tests.
#pragma once

#include "onefold/detail/folds/arg.hpp"
#include "onefold/detail/folds/extrema.hpp"
#include "onefold/detail/folds/logic.hpp"
#include "onefold/detail/folds/moments.hpp"
#include "onefold/detail/folds/product.hpp"
#include "onefold/detail/folds/squares.hpp"
#include "onefold/detail/folds/strategies.hpp"
#include "onefold/detail/folds/sum.hpp"
#include "onefold/detail/folds/sum_with_bound.hpp"
