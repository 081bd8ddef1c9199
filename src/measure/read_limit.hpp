// The read limit: how fast threads of this machine can read an array, and do nothing else.
#pragma once

#include <optional>

#include "measure/arena.hpp"
#include "measure/sampling.hpp"

namespace onefold::measure {

/// Bytes a second that `threads` threads read together from the copies of a host arena, each its own part of every
/// copy, without pause: what starting them costs is not in it. The fastest sample of two orders of reading, for a limit
/// is what can be reached. Nothing if it was stopped, where a thread's part is shorter than a row of 512 bytes, or
/// where the system does not start that many threads. `how.seconds` is for both orders.
std::optional<double> read_limit(arena& data, int threads, const effort& how);

}  // namespace onefold::measure
