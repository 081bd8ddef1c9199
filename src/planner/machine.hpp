// What the system says of this machine: processors and caches.
#pragma once

#include <cstdint>
#include <string>

namespace onefold::detail {

/// The processor's name; empty where the system does not tell.
std::string cpu_name();

/// How many processors are online.
int online_processors();

/// Bytes of a cache of this level, as the first processor has or shares it; 0 where the system does not tell.
std::int64_t cache_bytes(int level);

}  // namespace onefold::detail
