// Records how long single calls of the library take, as a file of real data.
#pragma once

#include <string>

namespace bench {

/// Times 999,968 single calls of a plan (the sum of 1,024 f32) back to back with std::chrono::steady_clock and
/// writes the nanoseconds of each, clock included, in the order of the calls, to `path`: an f32 .npy of 4 MB.
/// Throws std::runtime_error if the file cannot be written.
void record_latencies(const std::string& path);

}  // namespace bench
