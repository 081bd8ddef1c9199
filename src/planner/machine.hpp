// What the system says of this machine: processors and caches.
#pragma once

#include <cstdint>
#include <string>

namespace onefold::detail {

/// The processor's name; empty where the system does not tell.
std::string cpu_name();

/// On how many processors this process may run.
int allowed_processors();

/// How many of them it has the time of: a control group's quota may be less.
int usable_processors();

/// Bytes of a cache of this level, as the first processor has or shares it; 0 where the system does not tell.
std::int64_t cache_bytes(int level);

}  // namespace onefold::detail
