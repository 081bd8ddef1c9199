// Scans on a device. The pages of lines are folded; their aligned nodes are formed; then a warp scans each page, with
// the nodes to its left in front. Segments are scanned by a warp each. docs/scan.md.
#pragma once

#include "onefold/detail/cuda/scan_segments.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The aligned nodes of lines: those of one page are the states that the fold left, all above stand level by level in
/// as much memory.
template <class S>
struct line_nodes {
  const S* pages;      ///< one state a page, line by line
  S* upper;            ///< as many places
  std::int64_t count;  ///< pages of a line

  /// How many nodes of 2, 4, ... 2^(level - 1) pages a line has: where those of 2^level begin.
  __device__ std::int64_t before(int level) const {
    std::int64_t n = 0;
    for (int k = 1; k < level; ++k) n += count >> k;
    return n;
  }
  __device__ const S& at(std::int64_t line, int level, std::int64_t i) const {
    return level == 0 ? pages[line * count + i] : upper[line * count + before(level) + i];
  }
};

/// The arguments of the kernels of a scan of lines.
template <class F, class T>
struct scan_arguments : scan_basics<F, T> {
  device_axes from, from_along, to, to_along;  ///< where lines begin and how they go on: elements, results
  std::int64_t lines, n;
  line_nodes<tree_state<F, T>> nodes;
  int levels;  ///< the most nodes before a page
};

/// A line of an array, with its nodes.
template <class F, class T>
struct axis_line {
  const scan_arguments<F, T>& a;
  std::int64_t number, n;
  const T* first;
  char* out;

  __device__ axis_line(const scan_arguments<F, T>& all, std::int64_t line)
      : a(all),
        number(line),
        n(all.n),
        first(all.data + all.from.offset(line)),
        out(static_cast<char*>(all.results.out) + all.to.offset(line) * all.distance) {}
  __device__ const T& operator[](std::int64_t i) const { return first[a.from_along.offset(i)]; }
  __device__ void* result(std::int64_t i) const { return out + a.to_along.offset(i) * a.distance; }
  __device__ const tree_state<F, T>& before(std::int64_t page, int level) const {
    return a.nodes.at(number, level, (page >> level) - 1);
  }
};

/// Forms the nodes of 2^(level + 1) to 2^(level + 5) pages from those of 2^level: a warp for 32 of these.
template <class F, class T>
__global__ void __launch_bounds__(256) form_nodes(const __grid_constant__ scan_arguments<F, T> a, int level) {
  using S = tree_state<F, T>;
  await_stream();
  const std::int64_t present = a.nodes.count >> level, groups = (present + 31) / 32, all = groups * a.lines;
#pragma unroll 1
  for (std::int64_t g = (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32; g < all;
       g += std::int64_t{gridDim.x} * blockDim.x / 32) {
    const std::int64_t line = g / groups, first = g % groups * 32;
    S s = a.nodes.at(line, level, min(first + lane_id(), present - 1));
#pragma unroll 1
    for (int k = 1; k <= 5; ++k) {
      const int d = 1 << (k - 1);
      const S right = from_above(s, d);
      const bool whole = (lane_id() & (2 * d - 1)) == 0 && first + lane_id() + 2 * d <= present;
      if (whole) {
        s = a.fold.combine(s, right);
        a.nodes.upper[line * a.nodes.count + a.nodes.before(level + k) + ((first + lane_id()) >> k)] = s;
      }
    }
  }
}

/// A warp scans pages one after the other, with the nodes before a page in shared memory: each prefix needs them all.
template <class F, class T>
__global__ void __launch_bounds__(32 * scan_warps) scan_pages(const __grid_constant__ scan_arguments<F, T> a) {
  using S = tree_state<F, T>;
  ONEFOLD_DYNAMIC_MEMORY(memory);
  const int warps = static_cast<int>(blockDim.x / 32), warp = static_cast<int>(threadIdx.x / 32);
  const node_counter<S> nodes{reinterpret_cast<S*>(memory) + warp * a.levels};
  await_stream();
  const std::int64_t all = a.lines * a.nodes.count;
#pragma unroll 1
  for (std::int64_t u = std::int64_t{blockIdx.x} * warps + warp; u < all; u += std::int64_t{gridDim.x} * warps) {
    const axis_line<F, T> line(a, u / a.nodes.count);
    const std::int64_t page = u - line.number * a.nodes.count;
    __syncwarp();
    for (int bit = lane_id(); bit < a.levels; bit += 32)
      if (page >> bit & 1) nodes.nodes[bit] = line.before(page, bit);
    __syncwarp();
    scan_page<F, T>(a, line, nodes, page);
  }
}

/// The same in order: a thread for each page.
template <class F, class T>
__global__ void __launch_bounds__(32) scan_pages_in_order(const __grid_constant__ scan_arguments<F, T> a) {
  await_stream();
  const std::int64_t all = a.lines * a.nodes.count;
#pragma unroll 1
  for (std::int64_t u = std::int64_t{blockIdx.x} * 32 + threadIdx.x; u < all; u += std::int64_t{gridDim.x} * 32) {
    const axis_line<F, T> line(a, u / a.nodes.count);
    scan_page_in_order<F, T>(a, line, line, u - line.number * a.nodes.count);
  }
}

/// How a device scans with F over elements T.
template <class F, class T>
struct scan_functions {
  using S = tree_state<F, T>;

  static std::int64_t slot_bytes(const problem& from) {
    const std::int64_t pages = pages_of(from.n, sizeof(T));
    return pages <= 1 ? 0 : 2 * from.outputs * pages * static_cast<std::int64_t>(sizeof(S));
  }

  static std::int64_t kept_bytes(const problem&) { return 0; }

  static int launch(const device_launch& how, const problem& from, const problem& to, bool exclusive,
                    std::int32_t distance) {
    const std::int64_t pages = pages_of(from.n, sizeof(T));
    S* const states = static_cast<S*>(how.slots);
    const node_memory room(pages, sizeof(S), scan_warps);
    const scan_arguments<F, T> a{basics_of<F, T>(how, exclusive, distance),
                                 device_axes_of(from.kept, from.kept_axes),
                                 device_axes_of(from.reduced, from.reduced_axes),
                                 device_axes_of(to.kept, to.kept_axes),
                                 device_axes_of(to.reduced, to.reduced_axes),
                                 from.outputs,
                                 from.n,
                                 {states, states + from.outputs * pages, pages},
                                 room.levels};
    device_launch next = how;
    if (pages > 1) {
      outputs_arguments<F, T> folded{outputs_of<T>(how, from, distance), pages, states, a.fold};
      cudaError_t e = launch_pages(how, from, folded);
      next.follows = true;
      for (int level = 0; e == cudaSuccess && (pages >> (level + 1)) > 0; level += 5) {
        const std::int64_t warps = ((pages >> level) + 31) / 32 * from.outputs;
        e = detail::launch(next, blocks_for(warps, 8, 1 << 20), 256, 0, form_nodes<F, T>, a, level);
      }
      if (e != cudaSuccess) return e;
    }
    if constexpr (has_lanes<F, T>)
      return detail::launch(next, blocks_for(from.outputs * pages, room.owners, std::int64_t{64} * how.processors),
                            static_cast<unsigned>(32 * room.owners), room.bytes, scan_pages<F, T>, a);
    else
      return detail::launch(next, blocks_for(from.outputs * pages, 32, std::int64_t{64} * how.processors), 32, 0,
                            scan_pages_in_order<F, T>, a);
  }

  static int launch_segments(const device_launch& how, const device_segments& segments, std::int64_t longest,
                             bool exclusive, std::int32_t distance) {
    return launch_segment_scan<F, T>(how, segments, longest, exclusive, distance);
  }
};

/// The device's record of scans by these functions.
template <class Functions>
constexpr device_scan device_scan_by() {
  return {.size = sizeof(device_scan),
          .slot_bytes = Functions::slot_bytes,
          .kept_bytes = Functions::kept_bytes,
          .launch = Functions::launch,
          .launch_segments = Functions::launch_segments};
}
/// That of scans with F over elements T.
template <class F, class T>
constexpr device_scan make_device_scan() {
  return device_scan_by<scan_functions<F, T>>();
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
