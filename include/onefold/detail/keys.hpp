// The part of a reduction by key that knows no types: which elements have the same key.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "onefold/detail/engine.hpp"
#include "onefold/groups.hpp"
#include "onefold/types.hpp"

namespace onefold::detail {

/// Elements and the key of each.
struct key_data {
  const void* values;
  std::int64_t elements;
  std::int32_t element_size;  ///< bytes of one
  const void* keys;
  std::int64_t key_count;
  dtype key_type;
  bool runs;  ///< whether equal keys that are not neighbours stay apart
};

/// Groups of elements with equal keys, made by the CPU or, where `on_device` is not null, by an accelerator.
struct key_groups {
  std::vector<std::int64_t> offsets;  ///< where each group begins, and the end, with the elements sorted by `order`
  std::vector<std::int64_t> order;    ///< the elements' numbers, in ascending order of the keys; empty: as they are
  std::shared_ptr<const device_groups> on_device = {};  ///< the accelerator's, which end with this
  onefold::backend who = backend::automatic;            ///< the accelerator, which then reduces them

  std::int64_t count() const { return on_device ? on_device->count : static_cast<std::int64_t>(offsets.size()) - 1; }
};

/// Groups runs of equal keys, or all equal keys in ascending order: by the accelerator where the reduction of their
/// elements that is asked for is one of its own, or where the keys are in its memory, else by the CPU. Throws
/// invalid_argument where there are not as many keys as elements, for a key that is a NaN, for null pointers to
/// elements or keys, and where a CPU backend was asked for that cannot read them; else as the reduction of segments
/// does where nobody can run it.
ONEFOLD_API key_groups group_by_key(const request& what, const options& how, const key_data& from);

/// Throws invalid_argument where there is no room for so many keys or results, and where the keys would be written to
/// memory that who has made the groups cannot write.
ONEFOLD_API void require_room(const key_groups& groups, const void* keys, std::int64_t key_room,
                              std::int64_t result_room);

/// Writes the key of each group: that of its first element.
ONEFOLD_API void write_keys(const key_groups& groups, const key_data& from, void* to);

}  // namespace onefold::detail
