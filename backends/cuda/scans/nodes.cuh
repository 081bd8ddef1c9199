// The nodes that the blocks of a scan leave for each other: of 1, 32, 1024 and 32768 pages. Those between are formed
// again where they are needed, from the 32 below.
//
// A node is flagged words, whose flag is the number of the run. So nothing is cleared between runs: what is left of
// earlier ones does not count. (Run 2^32 later has the same number.)
#pragma once

#include "onefold/detail/cuda/barriers.cuh"
#include "onefold/detail/cuda/words.cuh"
#include "onefold/detail/make_recipe.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

inline constexpr int node_levels = 4;                           ///< 32^0 to 32^3 pages
inline constexpr std::int64_t most_node_pages = (1 << 20) - 1;  ///< no level above is needed
inline constexpr int most_nodes_before = 5 * node_levels;       ///< of a page: one for each bit of its number

/// What all blocks count in, far enough apart for the device to count both at once.
struct alignas(128) run_counters {
  unsigned runs;       ///< how many have ended
  unsigned next_page;  ///< zero between runs, as all below
  alignas(128) unsigned finished_blocks;
};

template <class F, class T>
struct page_nodes {
  using S = tree_state<F, T>;
  static constexpr int state_words = words<S>::count;

  run_counters* run;
  unsigned* arrived;  ///< of each group of 32 nodes, how many are there
  std::uint64_t* flagged;
  int pages;
  int first[node_levels], first_group[node_levels];  ///< where the nodes, and the groups, of a level begin

  /// Bytes for so many pages. Where counters end depends on the size of the memory alone, not on the pages of a run:
  /// a counter must be zero before a run, and a node may be anything.
  static std::int64_t bytes(std::int64_t pages) {
    return sizeof(run_counters) + 4096 + (pages + pages / 31 + 4) * 8 * state_words * 16 / 15;
  }
  static page_nodes in(void* memory, std::int64_t size, std::int64_t pages) {
    char* const counters = static_cast<char*>(memory) + sizeof(run_counters);
    const std::int64_t of_counters = (size / 32 + 127) / 128 * 128;
    page_nodes n{static_cast<run_counters*>(memory),
                 reinterpret_cast<unsigned*>(counters),
                 reinterpret_cast<std::uint64_t*>(counters + of_counters),
                 static_cast<int>(pages),
                 {},
                 {}};
    for (int k = 0; k + 1 < node_levels; ++k) {
      n.first[k + 1] = n.first[k] + (n.pages >> 5 * k);
      n.first_group[k + 1] = n.first_group[k] + (n.pages >> 5 * (k + 1));
    }
    return n;
  }

  __device__ std::uint64_t* place(int level, int i) const {
    return flagged + static_cast<std::int64_t>(first[level] + i) * state_words;
  }

  /// Leaves the state of a page, which thread 0 of the warp has, and every node that it completes.
  __device__ __forceinline__ void publish(const F& f, int page, S s, unsigned flag) const {
    int i = page;
#pragma unroll 1
    for (int level = 0;; ++level) {
      if (lane_id() == 0) {
        const words<S> x = words<S>::of(s);
#pragma unroll
        for (int w = 0; w < state_words; ++w)
          leave_at(place(level, i) + w, static_cast<std::uint64_t>(flag) << 32 | x.w[w]);
      }
      if (level + 1 == node_levels || (i | 31) >= pages >> 5 * level) return;
      // The last of 32 forms the node. Their words are read while it is not known yet whether this is the last one;
      // some may still be on their way then, for nothing has ordered them.
      words<S> x;
      const std::uint64_t* const sibling = place(level, (i & ~31) + lane_id());
      bool there = read(sibling, flag, x);
      unsigned before = 0;
      if (lane_id() == 0) before = atomicInc(arrived + first_group[level] + (i >> 5), 31);
      if (__shfl_sync(whole_warp, before, 0) != 31) return;
      while (!__all_sync(whole_warp, there)) there = there || read(sibling, flag, x);
      __syncwarp();
      s = aligned_warp_tree(f, x.state(), 32);
      i >>= 5;
    }
  }

  /// Waits for the nodes before a page, and writes them into shared memory, the nearest first; returns how many. For a
  /// warp. All are waited for at once.
  __device__ __forceinline__ int gather(const F& f, int page, unsigned flag, S* to) const {
    words<S> x[node_levels];
    unsigned missing = 0;
#pragma unroll
    for (int k = 0; k < node_levels; ++k) {
#pragma unroll
      for (int w = 0; w < state_words; ++w) x[k].w[w] = 0;
      if (lane_id() < (page >> 5 * k & 31)) missing |= 1u << k;
    }
    while (__any_sync(whole_warp, missing != 0)) {
      std::uint64_t seen[node_levels][state_words];
#pragma unroll
      for (int k = 0; k < node_levels; ++k)
#pragma unroll
        for (int w = 0; w < state_words; ++w)
          if (missing >> k & 1) seen[k][w] = look_at(place(k, (page >> 5 * k & ~31) + lane_id()) + w);
#pragma unroll
      for (int k = 0; k < node_levels; ++k) {
        bool there = missing >> k & 1;
#pragma unroll
        for (int w = 0; w < state_words; ++w) there = there && seen[k][w] >> 32 == flag;
        if (!there) continue;
        missing &= ~(1u << k);
#pragma unroll
        for (int w = 0; w < state_words; ++w) x[k].w[w] = static_cast<std::uint32_t>(seen[k][w]);
      }
      __syncwarp();
    }
    __syncwarp();
    int count = 0;
#pragma unroll
    for (int k = 0; k < node_levels; ++k) {
      const int before = page >> 5 * k & 31;
      S s = x[k].state();
#pragma unroll 1
      for (int b = 0; before >> b > 0; ++b) {
        if (before >> b & 1) {
          if (lane_id() == (((before >> b) - 1) << b)) to[count] = s;
          ++count;
        }
        s = f.combine(s, from_above(s, 1 << b));
      }
    }
    return count;
  }

 private:
  __device__ static bool read(const std::uint64_t* from, unsigned flag, words<S>& x) {
    bool there = true;
#pragma unroll
    for (int w = 0; w < state_words; ++w) {
      const std::uint64_t seen = look_at(from + w);
      there = there && seen >> 32 == flag;
      x.w[w] = static_cast<std::uint32_t>(seen);
    }
    return there;
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
