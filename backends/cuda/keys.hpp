// Groups of elements with equal keys, made on a device.
#pragma once

#include "onefold/groups.hpp"

namespace onefold::cuda {

/// Groups elements by their keys on a device, and waits. Throws invalid_argument for a key that is a NaN; unsupported
/// for more than 2^32 keys that have to be sorted.
device_groups group_by_key(const keyed_elements& what, int device);

/// Frees what group_by_key has made.
void release_groups(const device_groups& made);

}  // namespace onefold::cuda
