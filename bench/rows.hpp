// Registers the rows: each contender over arrays of each size.
#pragma once

#include <cstdint>

#include "contender.hpp"

namespace bench {

/// Registers every contender that may share a process with threads of the kind `used`, for arrays of 64 KB to
/// `max_bytes` bytes.
void register_rows(runtime used, int threads, std::int64_t max_bytes);

}  // namespace bench
