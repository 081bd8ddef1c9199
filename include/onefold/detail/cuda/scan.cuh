// Scans on a device. Pages are folded; their aligned nodes are formed; then a warp scans each page, with the nodes to
// its left in front. docs/scan.md.
#pragma once

#include "onefold/detail/cuda/shapes.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

inline constexpr int scan_warps = 4;  ///< warps of a block

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

/// The arguments of the kernels of a scan.
template <class F, class T>
struct scan_arguments {
  using S = tree_state<F, T>;
  F fold;
  const T* data;
  device_axes from, from_along, to, to_along;  ///< where lines begin and how they go on: elements, results
  std::int64_t lines, n;
  line_nodes<S> nodes;
  bool exclusive;
  destination results;    ///< where the first result goes
  std::int32_t distance;  ///< bytes of a result

  /// Writes the result of the prefix of i + 1 elements of a line, or of i elements, to place i.
  __device__ __forceinline__ void write(std::int64_t line, std::int64_t i, const S& s) const {
    char* const out = static_cast<char*>(results.out) + (to.offset(line) + to_along.offset(i)) * distance;
    const std::int64_t n_of_prefix = exclusive ? i : i + 1;
    if constexpr (is_rare<F>)
      write_result_apart<F, T>(fold, s, n_of_prefix, results, out);
    else
      write_result<F, T>(fold, s, n_of_prefix, results, out);
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

/// The prefixes of a page, made by one warp: as pack_scan.hpp does it, with the warp for a pack.
template <class F, class T>
struct warp_prefixes {
  using L = lane_state<F, T>;
  static constexpr int lanes = lanes_of(sizeof(T)), width = lanes < 32 ? lanes : 32, columns = lanes / width;

  const F& f;
  L strip[columns], before[columns], third[columns];  ///< of each lane: the strip so far, and the strips before it
  L left[columns];  ///< for each step of whole warps, the last states of the row before; step K begins at K
  L last[6];        ///< for each step within a warp, the last ones of the row before

  __device__ explicit warp_prefixes(const F& fold) : f(fold) {
    const L none = identity_of<F, lane_value<F, T>>(f);
#pragma unroll
    for (int c = 0; c < columns; ++c) strip[c] = before[c] = third[c] = left[c] = none;
#pragma unroll
    for (L& s : last) s = none;
  }

  /// The states of the prefixes that end in row r; element(c) is this thread's one of column c, and its index.
  template <class Element>
  __device__ __forceinline__ void row(int r, const Element& element, L (&v)[columns]) {
    const int in_strip = r % strip_rows, number = r / strip_rows;
#pragma unroll
    for (int c = 0; c < columns; ++c) {
      element(c, [&](const auto& x, std::int64_t index) {
        strip[c] = in_strip == 0 ? lift_at(f, x, index) : push_at(f, strip[c], x, index);
      });
      v[c] = end_strip(f, strip[c]);
      const L ended = v[c];
      if (number == 3) v[c] = f.combine(third[c], v[c]);
      if (number > 0) v[c] = f.combine(before[c], v[c]);
      if (in_strip == strip_rows - 1) {
        if (number == 2)
          third[c] = ended;
        else
          before[c] = v[c];
      }
    }
    halve<columns / 2>(v);
    halve_within<width / 2>(v);
  }

 private:
  template <int K>
  __device__ __forceinline__ void halve(L (&v)[columns]) {
    if constexpr (K >= 1) {
      L ends[K];
#pragma unroll
      for (int c = 0; c < K; ++c) ends[c] = v[columns - K + c];
#pragma unroll
      for (int c = columns - 1; c >= K; --c) v[c] = c & K ? f.combine(v[c - K], v[c]) : f.combine(v[c], v[c - K]);
#pragma unroll
      for (int c = 0; c < K; ++c) {
        v[c] = f.combine(v[c], left[K + c]);
        left[K + c] = ends[c];
      }
      halve<K / 2>(v);
    }
  }
  template <int W>
  __device__ __forceinline__ void halve_within(L (&v)[columns]) {
    if constexpr (W >= 1) {
      constexpr int step = W == 1 ? 0 : W == 2 ? 1 : W == 4 ? 2 : W == 8 ? 3 : 4;
      const L end = v[columns - 1];
      const int lane = lane_id() & (width - 1);
#pragma unroll
      for (int c = columns - 1; c >= 0; --c) {
        // Who sends its state to a thread across the end of the warp sends the one of the column before.
        const L sent = selected(lane >= width - W, c > 0 ? v[c > 0 ? c - 1 : 0] : last[step], v[c]);
        const L earlier = from_lane(sent, (lane - W) & (width - 1));
        const bool right = (lane & W) != 0;
        if constexpr (is_symmetric<F, T>)
          v[c] = f.combine(earlier, v[c]);
        else
          v[c] = f.combine(selected(right, earlier, v[c]), selected(right, v[c], earlier));
      }
      last[step] = end;
      halve_within<W / 2>(v);
    }
  }
};

/// The state of all pages before one, of which there is at least one.
template <class F, class T>
__device__ tree_state<F, T> state_before(const scan_arguments<F, T>& a, std::int64_t line, std::int64_t page) {
  std::int64_t rest = page;
  int level = __ffsll(rest) - 1;
  tree_state<F, T> s = a.nodes.at(line, level, (page >> level) - 1);
  for (rest &= rest - 1; rest; rest &= rest - 1) {
    level = __ffsll(rest) - 1;
    s = a.fold.combine(a.nodes.at(line, level, (page >> level) - 1), s);
  }
  return s;
}

/// A prefix of a page with all pages before it.
template <class F, class T>
__device__ __forceinline__ tree_state<F, T> with_nodes(const scan_arguments<F, T>& a, std::int64_t line,
                                                       std::int64_t page, tree_state<F, T> s) {
  for (std::int64_t rest = page; rest; rest &= rest - 1) {
    const int level = __ffsll(rest) - 1;
    s = a.fold.combine(a.nodes.at(line, level, (page >> level) - 1), s);
  }
  return s;
}

/// A warp scans pages one after the other.
template <class F, class T>
__global__ void __launch_bounds__(32 * scan_warps) scan_pages(const __grid_constant__ scan_arguments<F, T> a) {
  using S = tree_state<F, T>;
  using prefixes = warp_prefixes<F, T>;
  constexpr std::int64_t page_size = page_elements(sizeof(T));
  constexpr int lanes = prefixes::lanes, width = prefixes::width, columns = prefixes::columns;
  await_stream();
  const std::int64_t all = a.lines * a.nodes.count;
#pragma unroll 1
  for (std::int64_t u = std::int64_t{blockIdx.x} * scan_warps + threadIdx.x / 32; u < all;
       u += std::int64_t{gridDim.x} * scan_warps) {
    const std::int64_t line = u / a.nodes.count, page = u - line * a.nodes.count, begin = page * page_size;
    const int count = static_cast<int>(min(a.n - begin, page_size));
    const T* const x = a.data + a.from.offset(line);
    prefixes p(a.fold);
    // In an exclusive scan, the result at the beginning of a row is that of the row before, and waits until the row's
    // elements are read: it may go to the place of one.
    const bool waits = a.exclusive && lane_id() == width - 1;
    S waiting = page > 0 ? state_before(a, line, page) : empty_state<F, T>(a.fold);
#pragma unroll 1
    for (int r = 0; r * lanes < count; ++r) {
      lane_state<F, T> v[columns];
      p.row(
          r,
          [&](int c, const auto& take) {
            const int i = r * lanes + c * width + lane_id();
            if (lane_id() < width && i < count) take(liftable<F, T>(x[a.from_along.offset(begin + i)]), begin + i);
          },
          v);
      __syncwarp();
      if (waits) a.write(line, begin + r * lanes, waiting);
#pragma unroll
      for (int c = 0; c < columns; ++c) {
        const int i = r * lanes + c * width + lane_id();
        if (lane_id() >= width || i >= count) continue;
        const S s = with_nodes(a, line, page, to_tree<F, T>(a.fold, v[c]));
        if (!a.exclusive)
          a.write(line, begin + i, s);
        else if (waits && c == columns - 1)
          waiting = s;
        else if (i + 1 < count)
          a.write(line, begin + i + 1, s);
      }
    }
  }
}

/// The same for operations that do not commute, or push in place: a thread for each page.
template <class F, class T>
__global__ void __launch_bounds__(32) scan_pages_in_order(const __grid_constant__ scan_arguments<F, T> a) {
  using L = lane_state<F, T>;
  using S = tree_state<F, T>;
  constexpr std::int64_t page_size = page_elements(sizeof(T));
  await_stream();
  const std::int64_t all = a.lines * a.nodes.count;
#pragma unroll 1
  for (std::int64_t u = std::int64_t{blockIdx.x} * 32 + threadIdx.x; u < all; u += std::int64_t{gridDim.x} * 32) {
    const std::int64_t line = u / a.nodes.count, page = u - line * a.nodes.count, begin = page * page_size;
    const int count = static_cast<int>(min(a.n - begin, page_size));
    const T* const x = a.data + a.from.offset(line);
    S before = page > 0 ? state_before(a, line, page) : empty_state<F, T>(a.fold);
    alignas(L) unsigned char memory[16 * sizeof(L)];
    L* const nodes = reinterpret_cast<L*>(memory);
    int held = 0;
    L run = identity_of<F, lane_value<F, T>>(a.fold);
#pragma unroll 1
    for (int i = 0; i < count; ++i) {
      const std::int64_t at = begin + i;
      const T element = x[a.from_along.offset(at)];
      if (a.exclusive) a.write(line, at, before);  // which may be the element's place
      const bool begins = layout_of<F, T> == layout::one_state ? i == 0 : i % strip_rows == 0;
      if (begins)
        run = lift_at(a.fold, element, at);
      else if constexpr (layout_of<F, T> == layout::one_state)
        a.fold.push(run, element);
      else
        run = push_at(a.fold, run, element, at);
      L v = run;
      if constexpr (layout_of<F, T> == layout::sequence) {
        v = end_strip(a.fold, run);
        if (i % strip_rows == strip_rows - 1) {
          nodes[held++] = v;
          for (int carry = i / strip_rows; carry & 1; carry >>= 1) {
            --held;
            nodes[held - 1] = a.fold.combine(nodes[held - 1], nodes[held]);
          }
          v = nodes[held - 1];
          for (int k = held - 1; k-- > 0;) v = a.fold.combine(nodes[k], v);
        } else {
          for (int k = held; k-- > 0;) v = a.fold.combine(nodes[k], v);
        }
      }
      const S s = with_nodes(a, line, page, to_tree<F, T>(a.fold, v));
      if (!a.exclusive) a.write(line, at, s);
      before = s;
    }
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
    const scan_arguments<F, T> a{fold_object<F>(how.op),
                                 static_cast<const T*>(how.data),
                                 device_axes_of(from.kept, from.kept_axes),
                                 device_axes_of(from.reduced, from.reduced_axes),
                                 device_axes_of(to.kept, to.kept_axes),
                                 device_axes_of(to.reduced, to.reduced_axes),
                                 from.outputs,
                                 from.n,
                                 {states, states + from.outputs * pages, pages},
                                 exclusive,
                                 destination_of(how),
                                 distance};
    device_launch next = how;
    if (pages > 1) {
      outputs_arguments<F, T> folded{outputs_of<T>(how, from, distance), a.fold, pages, states};
      cudaError_t e = launch_pages(how, from, folded);
      next.follows = true;
      for (int level = 0; e == cudaSuccess && (pages >> (level + 1)) > 0; level += 5) {
        const std::int64_t warps = ((pages >> level) + 31) / 32 * from.outputs;
        e = detail::launch(next, blocks_for(warps, 8, 1 << 20), 256, 0, form_nodes<F, T>, a, level);
      }
      if (e != cudaSuccess) return e;
    }
    if constexpr (has_lanes<F, T>)
      return detail::launch(next, blocks_for(from.outputs * pages, scan_warps, std::int64_t{64} * how.processors),
                            32 * scan_warps, 0, scan_pages<F, T>, a);
    else
      return detail::launch(next, blocks_for(from.outputs * pages, 32, std::int64_t{64} * how.processors), 32, 0,
                            scan_pages_in_order<F, T>, a);
  }
};

/// The device's record of scans by these functions.
template <class Functions>
constexpr device_scan device_scan_by() {
  return {.size = sizeof(device_scan),
          .slot_bytes = Functions::slot_bytes,
          .kept_bytes = Functions::kept_bytes,
          .launch = Functions::launch};
}
/// That of scans with F over elements T.
template <class F, class T>
constexpr device_scan make_device_scan() {
  return device_scan_by<scan_functions<F, T>>();
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
