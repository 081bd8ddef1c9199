// Scans of segments on a device: a warp takes a segment, page after page, and keeps the aligned nodes of the pages
// before in shared memory. Nothing is folded before it is scanned: the state of a full page is that of its last prefix.
#pragma once

#include "onefold/detail/cuda/scan_page.cuh"
#include "onefold/detail/cuda/shapes.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

inline constexpr int scan_warps = 4;  ///< warps of a block

/// The arguments of a scan of segments.
template <class F, class T>
struct segment_scan : scan_basics<F, T> {
  segment_table segments;
  std::int64_t count;    ///< of segments
  std::int64_t longest;  ///< segments of more elements are left out
  int levels;            ///< for how many nodes each has memory
};

/// A segment.
template <class F, class T>
struct segment_line {
  const segment_scan<F, T>& a;
  std::int64_t begin, n;

  __device__ segment_line(const segment_scan<F, T>& all, std::int64_t number)
      : a(all), begin(all.segments[number]), n(all.segments[number + 1] - begin) {
    if (n > all.longest) n = 0;
  }
  __device__ const T& operator[](std::int64_t i) const { return a.data[begin + i]; }
  __device__ void* result(std::int64_t i) const { return static_cast<char*>(a.results.out) + (begin + i) * a.distance; }
};

/// The aligned nodes before a page: one in its place for each bit of the page's number.
template <class S>
struct node_counter {
  S* nodes;

  __device__ const S& before(std::int64_t, int bit) const { return nodes[bit]; }
  /// Counts on: adds the state of a page to the nodes before it.
  template <class F>
  __device__ void add(const F& f, std::int64_t page, S s) const {
    int bit = 0;
    for (; page >> bit & 1; ++bit) s = f.combine(nodes[bit], s);
    nodes[bit] = s;
  }
};

/// A warp scans segments one after the other.
template <class F, class T>
__global__ void __launch_bounds__(32 * scan_warps) scan_segments(const __grid_constant__ segment_scan<F, T> a) {
  using S = tree_state<F, T>;
  constexpr std::int64_t page_size = page_elements(sizeof(T));
  ONEFOLD_DYNAMIC_MEMORY(memory);
  const int warps = static_cast<int>(blockDim.x / 32), warp = static_cast<int>(threadIdx.x / 32);
  const node_counter<S> nodes{reinterpret_cast<S*>(memory) + warp * a.levels};
  await_stream();
#pragma unroll 1
  for (std::int64_t s = std::int64_t{blockIdx.x} * warps + warp; s < a.count; s += std::int64_t{gridDim.x} * warps) {
    const segment_line<F, T> line(a, s);
#pragma unroll 1
    for (std::int64_t page = 0; page * page_size < line.n; ++page) {
      const S alone = scan_page<F, T>(a, line, nodes, page);
      if ((page + 1) * page_size >= line.n) break;
      __syncwarp();
      if (lane_id() == warp_prefixes<F, T>::width - 1) nodes.add(a.fold, page, alone);
      __syncwarp();
    }
  }
}

/// The same in order: a thread for each segment.
template <class F, class T>
__global__ void __launch_bounds__(32) scan_segments_in_order(const __grid_constant__ segment_scan<F, T> a) {
  using S = tree_state<F, T>;
  constexpr std::int64_t page_size = page_elements(sizeof(T));
  ONEFOLD_DYNAMIC_MEMORY(memory);
  const node_counter<S> nodes{reinterpret_cast<S*>(memory) + static_cast<int>(threadIdx.x) * a.levels};
  await_stream();
#pragma unroll 1
  for (std::int64_t s = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; s < a.count;
       s += std::int64_t{gridDim.x} * blockDim.x) {
    const segment_line<F, T> line(a, s);
#pragma unroll 1
    for (std::int64_t page = 0; page * page_size < line.n; ++page) {
      const S alone = scan_page_in_order<F, T>(a, line, nodes, page);
      if ((page + 1) * page_size < line.n) nodes.add(a.fold, page, alone);
    }
  }
}

/// The shared memory of a block for the nodes before pages, and how many warps or threads it holds them for: fewer than
/// `most` where states are large.
struct node_memory {
  int levels;  ///< nodes of one
  int owners, bytes;

  node_memory(std::int64_t pages, std::size_t state_size, int most)
      : levels(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(pages, 1) - 1)))) {
    const int each = levels * static_cast<int>(state_size);
    owners = std::clamp((16 << 10) / std::max(each, 1), 1, most);
    bytes = owners * each;
  }
};

/// What a scan is given, as a launch says.
template <class F, class T>
scan_basics<F, T> basics_of(const device_launch& how, bool exclusive, std::int32_t distance) {
  return {fold_object<F>(how.op), static_cast<const T*>(how.data), exclusive, destination_of(how), distance};
}

/// Launches the scan of segments, as device_scan::launch_segments.
template <class F, class T>
int launch_segment_scan(const device_launch& how, const device_segments& s, std::int64_t longest, bool exclusive,
                        std::int32_t distance) {
  const node_memory room(pages_of(std::min(s.total, longest), sizeof(T)), sizeof(tree_state<F, T>),
                         has_lanes<F, T> ? scan_warps : 32);
  const segment_scan<F, T> a{basics_of<F, T>(how, exclusive, distance),
                             {s.offsets, s.wide, s.elements, nullptr, nullptr},
                             s.count,
                             longest,
                             room.levels};
  // More blocks than fit at once: the device gives those that come later to whichever multiprocessor is free, so that
  // long segments delay no others.
  const unsigned blocks = blocks_for(s.count, room.owners, std::int64_t{64} * how.processors);
  const auto owners = static_cast<unsigned>(room.owners);
  if constexpr (has_lanes<F, T>)
    return launch(how, blocks, 32 * owners, room.bytes, scan_segments<F, T>, a);
  else
    return launch(how, blocks, owners, room.bytes, scan_segments_in_order<F, T>, a);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
