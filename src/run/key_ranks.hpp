// Keys of any type as unsigned integers that compare as they do.
#pragma once

#include <cstdint>

#include "onefold/types.hpp"

namespace onefold::detail {

/// Writes the rank of each of n keys: its place among all keys of its type, which it shares with those that compare
/// equal.
void rank_keys(const void* keys, dtype type, std::int64_t n, std::uint64_t* ranks);

/// The ranks of all keys of a type but NaN.
struct rank_limits {
  std::uint64_t lowest, highest;
  bool contain(std::uint64_t rank) const { return lowest <= rank && rank <= highest; }
};
rank_limits limits_of(dtype type);

}  // namespace onefold::detail
