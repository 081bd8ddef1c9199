// The part of a reduction of segments that knows no element type.
#pragma once

#include <cstdint>

#include "onefold/detail/engine.hpp"
#include "onefold/selection.hpp"
#include "onefold/types.hpp"

namespace onefold::detail {

/// An array, the offsets of its segments, and which of its elements count.
struct segment_data {
  const void* values;
  std::int64_t elements;  ///< of the array
  const void* offsets;
  std::int64_t offset_count;  ///< one more than segments
  dtype offset_type;          ///< i32, i64, u32 or u64
  list_selection selects = {};
};

/// Chooses and reduces once: one result a segment into `results`, which has room for `capacity` of them. `op` and
/// `init` are as in the recipe; the request's numbers are not looked at. `ran` is null, or gets what ran.
ONEFOLD_API void run_segments_once(const request& what, const options& how, const void* op, const segment_data& from,
                                   const void* init, void* results, std::int64_t capacity, run_report* ran);

}  // namespace onefold::detail
