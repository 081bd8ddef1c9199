// What the object of an operation as text exports: its recipe, and what its results are.
#pragma once

#include <cstdint>

#include "onefold/device.hpp"
#include "onefold/recipe.hpp"
#include "onefold/types.hpp"

namespace onefold::detail {

/// The name of the function that returns the record.
#define ONEFOLD_SOURCE_FUNCTION onefold_source_operation

/// A compiled operation as data.
struct source_record {
  std::uint32_t size;  ///< sizeof(source_record) where it was filled in: a border check
  const recipe* fold;  ///< how to fold
  const void* op;      ///< the operation object
  dtype result;        ///< the type of its result; other: not a number
  bool takes_init;     ///< whether it takes an initial value
  fold_layout layout;  ///< for launches on a device
};

}  // namespace onefold::detail
