// The part of a reduction by key that knows no types.
#pragma once

#include <cstdint>

#include "onefold/selection.hpp"
#include "onefold/types.hpp"

namespace onefold::detail {

/// Elements, the key of each, and which of them count.
struct key_data {
  const void* values;
  std::int64_t elements;
  std::int32_t element_size;  ///< bytes of one
  const void* keys;
  std::int64_t key_count;
  dtype key_type;
  bool runs;  ///< whether equal keys that are not neighbors stay apart
  list_selection selects = {};
};

/// Where the groups' results and keys go.
struct group_room {
  void* keys;
  std::int64_t of_keys;  ///< for that many
  void* results;
  std::int64_t of_results;
};

}  // namespace onefold::detail
