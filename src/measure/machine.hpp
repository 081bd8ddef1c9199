// What this machine has: memory, and a driver. Of processors and caches builtin_profile() (onefold/profile.hpp) knows.
#pragma once

#include <cstdint>
#include <string>

namespace onefold::measure {

/// Bytes of memory that a program can take now without another being pushed out: what the system says is available,
/// within the limit of the process's control group.
std::int64_t available_memory();

/// Bytes of memory of the whole machine; 0 where it is unknown.
std::int64_t all_memory();

/// The version of the NVIDIA driver's kernel module; empty where there is none.
std::string nvidia_driver();

}  // namespace onefold::measure
