// User-defined operations: include this where reduce, plan or a scan is called with one.
//
// The folds are compiled here, in the user's file, with the user's instruction set, and run by any backend.
// Compile the file with -ffp-contract=off (the CMake target onefold::custom does), so that a multiplication and an
// addition are not fused on one machine and separate on another. exp, log and the like: onefold/math.hpp.
#pragma once

#include "onefold/detail/custom.hpp"
#include "onefold/detail/scan/make_scan.hpp"
#include "onefold/reduce.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The scan of a user-defined operation, made where one is called.
template <class Op, class T>
struct custom_scan {
  static constexpr scan_recipe record = make_scan_recipe<Op, T, type_list<typename custom<Op, T>::result>, true>();
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
