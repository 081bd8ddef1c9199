// What this machine has: memory that is free, caches, and its names.
#pragma once

#include <cstdint>
#include <string>

namespace onefold::measure {

/// Bytes of memory that a program can take now without another being pushed out: what the system says is available,
/// within the limit of the process's control group.
std::int64_t available_memory();

/// Bytes of the largest cache that a core of this machine has or shares; a guess of 32 MiB where nobody says.
std::int64_t largest_cache();

/// Bytes of memory of the whole machine; 0 where nobody says.
std::int64_t all_memory();

/// The CPU's name as the system spells it, its architecture where it has none.
std::string cpu_name();

/// The version of the NVIDIA driver's kernel module; empty where there is none.
std::string nvidia_driver();

}  // namespace onefold::measure
