// How a mask lies in memory, for plans whose types are known at run time only.
#pragma once

#include <cstdint>
#include <span>

#include "onefold/problem.hpp"
#include "onefold/selection.hpp"

namespace onefold {

/// How the mask of a dynamic_selected_plan or a dynamic_row_plan lies in memory.
struct mask_layout {
  mask_kind kind = mask_kind::not_nan;  ///< bytes, bits, or not_nan, which needs nothing else
  std::span<const axis> axes = {};      ///< with the extents of the data, and strides in bytes or bits
  std::int64_t offset = 0;              ///< bits: the one of the first element, counted from the first byte's lowest
};

}  // namespace onefold
