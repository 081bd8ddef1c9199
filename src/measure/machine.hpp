// What this machine has: memory that is free and caches.
#pragma once

#include <cstdint>

namespace onefold::measure {

/// Bytes of memory that a program can take now without another being pushed out: what the system says is available,
/// within the limit of the process's control group.
std::int64_t available_memory();

/// Bytes of the largest cache that a core of this machine has or shares; a guess of 32 MiB where nobody says.
std::int64_t largest_cache();

}  // namespace onefold::measure
