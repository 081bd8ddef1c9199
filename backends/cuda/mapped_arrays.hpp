// The function of computed elements as a device finds it: its record.
#pragma once

#include "errors.hpp"
#include "map.hpp"

namespace onefold::cuda {

/// The record of a function of so many arrays. Throws unsupported where this module has none.
inline const device_map& map_for(const mapped_source& from, int arrays) {
  dtype elements[most_mapped_arrays];
  for (int k = 0; k < arrays; ++k) elements[k] = from.arrays[k].element;
  const mapped_device& by = from.device;
  const device_map* const found =
      by.map ? by.map : find_map(by.known, by.result, {elements, static_cast<std::size_t>(arrays)});
  if (!found)
    throw error(error_code::unsupported,
                "backend cuda does not have this function of elements of these types; use backend cpu");
  if (found->size != sizeof(device_map))
    throw error(error_code::unsupported, "the function was compiled against another version of onefold");
  return *found;
}

}  // namespace onefold::cuda
