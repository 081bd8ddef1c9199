// The ranks that run a test: all run the same test cases, in the same order.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "support/catch.hpp"
#include "support/data.hpp"

namespace support {

inline int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}
inline int size_of(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}

/// Where the parts of n elements begin, and where the last one ends: anywhere, with some empty ones.
inline std::vector<std::int64_t> random_cuts(std::int64_t n, int ranks, random_numbers& r) {
  std::vector<std::int64_t> cuts{0};
  for (int i = 1; i < ranks; ++i)
    cuts.push_back(static_cast<std::int64_t>(r.bits() % static_cast<std::uint64_t>(n + 1)));
  cuts.push_back(n);
  std::sort(cuts.begin(), cuts.end());
  if (r.integer(0, 2) == 0)
    for (std::size_t i = 1; i + 1 < cuts.size(); ++i)
      if (r.integer(0, 1) == 0) cuts[i] = cuts[i - 1];
  return cuts;
}

/// A rank's part of x.
template <class T>
std::span<const T> part_of(const std::vector<T>& x, const std::vector<std::int64_t>& cuts, int rank) {
  const auto at = static_cast<std::size_t>(rank);
  return std::span(x).subspan(static_cast<std::size_t>(cuts[at]), static_cast<std::size_t>(cuts[at + 1] - cuts[at]));
}

template <class R>
bool same_bits(const R& a, const R& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

}  // namespace support
