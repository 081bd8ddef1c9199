// What a scan in one pass is given, and what a block of it has in shared memory.
#pragma once

#include "scans/nodes.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

inline constexpr int fronts = 2;  ///< of how many pages the nodes before them are held

/// A place in a ring, and the parity of the phase of its barriers.
template <int Places>
struct turn {
  int at = 0;
  unsigned parity = 0;
  __device__ void next() {
    if (++at < Places) return;
    at = 0;
    parity ^= 1;
  }
};

/// The arguments of the kernel.
template <class F, class T, class R>
struct scan_job {
  F fold;
  const storage_t<T>* data;  ///< as `out`, at a multiple of 16 bytes
  R* out;                    ///< may be the data
  std::int64_t n;            ///< at least 1
  page_nodes<F, T> nodes;
  bool exclusive;
  R init;  ///< where the kernel is one with an initial value
};

/// What a block has in shared memory.
template <class F, class T, int Slots>
struct scan_memory {
  using L = lane_state<F, T>;
  static constexpr int lanes = lanes_of(sizeof(T));
  alignas(16) storage_t<T> x[Slots][page_elements(sizeof(T))];
  alignas(32) L first[Slots][lanes], half[Slots][lanes], third[Slots][lanes];  ///< strip 0; 0 and 1; 2
  alignas(16) tree_state<F, T> front[fronts][most_nodes_before];
  int front_count[fronts];
  int page[Slots];  ///< -1 after the last one
  unsigned flag;
  barrier loaded[Slots], folded[Slots], read[Slots], found[fronts], used[fronts];
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
