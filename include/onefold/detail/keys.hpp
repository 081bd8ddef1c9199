// The part of a reduction by key that knows no types: which elements have the same key.
#pragma once

#include <cstdint>
#include <vector>

#include "onefold/types.hpp"

namespace onefold::detail {

/// Elements and the key of each.
struct key_data {
  const void* values;  ///< not read
  std::int64_t elements;
  const void* keys;
  std::int64_t key_count;
  dtype key_type;
  bool runs;  ///< whether equal keys that are not neighbours stay apart
};

/// Groups of elements with equal keys.
struct key_groups {
  std::vector<std::int64_t> offsets;  ///< where each group begins, and the end, with the elements sorted by `order`
  std::vector<std::int64_t> order;    ///< the elements' numbers, in ascending order of the keys; empty: as they are
};

/// Groups runs of equal keys, or all equal keys in ascending order. Throws invalid_argument where there are not as
/// many keys as elements, for a key that is a NaN, and for null pointers to elements or keys; unsupported for elements
/// or keys in device memory.
ONEFOLD_API key_groups group_by_key(const key_data& from);

}  // namespace onefold::detail
