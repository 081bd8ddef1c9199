// For those who write a backend: elements with keys, and the groups that an accelerator makes of them.
#pragma once

#include <cstdint>

#include "onefold/types.hpp"

namespace onefold {

/// Elements and the key of each, in memory of any kinds.
struct keyed_elements {
  std::uint32_t size;         ///< sizeof(keyed_elements)
  std::int32_t element_size;  ///< bytes of an element, which may be copied as such
  const void* elements;
  const void* keys;  ///< aligned to their size
  std::int64_t n;    ///< elements, and keys; at least 1
  dtype key_type;    ///< an element type of the catalogue
  bool runs;         ///< whether equal keys that are not neighbours stay apart
  int device;        ///< -1: the current one
};

/// Groups of elements with equal keys: runs, or all of a key in the order of the keys. Within a group the elements keep
/// their order.
struct device_groups {
  void* memory;                 ///< what the accelerator keeps them in
  const void* elements;         ///< group by group, in device memory; where they lay so already, those that were given
  const std::int64_t* offsets;  ///< where each group begins, and the end: one more than groups, in device memory
  const void* keys;             ///< the key of each group's first element, in device memory
  std::int64_t count;           ///< of groups
};

}  // namespace onefold
