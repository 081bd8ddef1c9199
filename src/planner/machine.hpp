// What the system says of this machine: processors and caches.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace onefold::detail {

/// The processor's name; empty where the system does not tell.
std::string cpu_name();

/// The processors on which this process may run, in ascending order, as the main thread's affinity is now.
std::vector<int> affinity();

/// How many these were when the process first asked.
int allowed_processors();

/// How many of them it has the time of: a control group's quota may be less.
int usable_processors();

/// The folder of the control group whose quota is less than the allowed processors' time; empty where none is.
std::string limiting_group();

/// Bytes of a cache of this level, as the first processor has or shares it; 0 where the system does not tell.
std::int64_t cache_bytes(int level);

}  // namespace onefold::detail
