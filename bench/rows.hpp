// The rows: each contender over arrays of each size.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "contender.hpp"

namespace bench {

/// One benchmark: a contender over arrays of one size.
struct row {
  std::string name;
  contender who;
  std::int64_t bytes;
  std::int64_t n() const;  ///< elements
};

/// Every contender that may share a process with threads of the kind `used`, for arrays of 64 KB to `max_bytes` bytes.
std::vector<row> rows_of(runtime used, int threads, std::int64_t max_bytes);

/// Registers them. Each call reduces the same array or, `in_turn`, the next of so many copies that the caches keep
/// none.
void register_rows(const std::vector<row>& rows, int threads, bool in_turn);

}  // namespace bench
