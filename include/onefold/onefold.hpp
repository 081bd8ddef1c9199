// onefold: one fold, every machine, the same answer. Everything but operations of your own (custom.hpp).
#pragma once

#include "onefold/bound.hpp"
#include "onefold/dynamic.hpp"
#include "onefold/exact.hpp"
#include "onefold/exact_dot.hpp"
#include "onefold/exact_moments.hpp"
#include "onefold/keys.hpp"
#include "onefold/map_reduce.hpp"
#include "onefold/numbered_groups.hpp"
#include "onefold/reduce.hpp"
#include "onefold/row_operations.hpp"
#include "onefold/scan.hpp"
#include "onefold/segments.hpp"
#include "onefold/shapes.hpp"
#include "onefold/vectors.hpp"
#include "onefold/version.hpp"
#include "onefold/where.hpp"
