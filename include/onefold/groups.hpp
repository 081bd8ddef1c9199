// For authors of backends: elements with keys, and the groups that an accelerator makes of them.
#pragma once

#include <cstdint>

#include "onefold/selection.hpp"
#include "onefold/types.hpp"

namespace onefold {

/// Elements, the key of each, and which of them count, in memory of any kinds.
struct keyed_elements {
  const void* elements;    ///< the elements
  const void* keys;        ///< aligned to their size
  std::int64_t n;          ///< elements, and keys; at least 1 unless enqueued
  bool runs;               ///< whether equal keys that are not neighbors stay apart
  list_selection selects;  ///< a group may be left without elements
};

/// Where groups go that are enqueued, in device memory. Those beyond the room are counted only.
struct group_outputs {
  void* keys;           ///< the key of each group's first element
  void* results;        ///< one a group
  std::int64_t room;    ///< how many groups there is room for
  std::int64_t* count;  ///< how many groups there are
};

}  // namespace onefold
