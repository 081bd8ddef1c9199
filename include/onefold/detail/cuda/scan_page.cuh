// Scans of a page on a device: by a warp, or by a thread in order, with the aligned nodes before the page in front.
//
// A *line* here has elements, and knows where its results go:
//
//   n                 how many elements it has
//   line[i]           element i
//   line.result(i)    where result i goes, for the device to write
//
// *Nodes* are the aligned nodes before a page of it, one for each bit of the page's number that is set:
// nodes.before(page, bit) is that of 2^bit pages.
#pragma once

#include "onefold/detail/cuda/outputs.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// What all scans are given.
template <class F, class T>
struct scan_basics {
  using S = tree_state<F, T>;
  F fold;
  const T* data;
  bool exclusive;
  destination results;    ///< where the first result goes
  std::int32_t distance;  ///< bytes of a result

  /// Writes the result at place i of a line, whose state is that of i + 1 elements, or of i in an exclusive scan.
  __device__ __forceinline__ void write(void* out, std::int64_t i, const S& s) const {
    const std::int64_t n_of_prefix = exclusive ? i : i + 1;
    if constexpr (is_rare<F>)
      write_result_apart<F, T>(fold, s, n_of_prefix, results, out);
    else
      write_result<F, T>(fold, s, n_of_prefix, results, out);
  }
};

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
template <class F, class S, class Nodes>
__device__ S state_before(const F& f, const Nodes& nodes, std::int64_t page) {
  std::int64_t rest = page;
  S s = nodes.before(page, __ffsll(rest) - 1);
  for (rest &= rest - 1; rest; rest &= rest - 1) s = f.combine(nodes.before(page, __ffsll(rest) - 1), s);
  return s;
}

/// A prefix of a page with all pages before it.
template <class F, class S, class Nodes>
__device__ __forceinline__ S with_nodes(const F& f, const Nodes& nodes, std::int64_t page, S s) {
  for (std::int64_t rest = page; rest; rest &= rest - 1) s = f.combine(nodes.before(page, __ffsll(rest) - 1), s);
  return s;
}

/// How many elements a page of a line has.
template <class T, class Line>
__device__ int elements_of_page(const Line& line, std::int64_t page) {
  constexpr std::int64_t size = page_elements(sizeof(T));
  return static_cast<int>(min(line.n - page * size, size));
}

/// A warp scans a page of a line. Returns, to the last of the threads that have a lane, the state of the page alone
/// where it is full: that of its last prefix.
template <class F, class T, class Line, class Nodes>
__device__ __forceinline__ tree_state<F, T> scan_page(const scan_basics<F, T>& a, const Line& line, const Nodes& nodes,
                                                      std::int64_t page) {
  using S = tree_state<F, T>;
  using prefixes = warp_prefixes<F, T>;
  constexpr int lanes = prefixes::lanes, width = prefixes::width, columns = prefixes::columns;
  const std::int64_t begin = page * page_elements(sizeof(T));
  const int count = elements_of_page<T>(line, page);
  prefixes p(a.fold);
  // In an exclusive scan, the result at the beginning of a row is that of the row before, and waits until the row's
  // elements are read: it may go to the place of one.
  const bool waits = a.exclusive && lane_id() == width - 1;
  S waiting = page > 0 ? state_before<F, S>(a.fold, nodes, page) : empty_state<F, T>(a.fold);
  lane_state<F, T> v[columns];
#pragma unroll 1
  for (int r = 0; r * lanes < count; ++r) {
    p.row(
        r,
        [&](int c, const auto& take) {
          const int i = r * lanes + c * width + lane_id();
          if (lane_id() < width && i < count) take(liftable<F, T>(line[begin + i]), begin + i);
        },
        v);
    __syncwarp();
    if (waits) a.write(line.result(begin + r * lanes), begin + r * lanes, waiting);
#pragma unroll
    for (int c = 0; c < columns; ++c) {
      const int i = r * lanes + c * width + lane_id();
      if (lane_id() >= width || i >= count) continue;
      const S s = with_nodes(a.fold, nodes, page, to_tree<F, T>(a.fold, v[c]));
      const std::int64_t at = begin + i;
      if (!a.exclusive)
        a.write(line.result(at), at, s);
      else if (waits && c == columns - 1)
        waiting = s;
      else if (i + 1 < count)
        a.write(line.result(at + 1), at + 1, s);
    }
  }
  return to_tree<F, T>(a.fold, v[columns - 1]);
}

/// The same for operations that do not commute, or push in place: by a thread, which gets the state.
template <class F, class T, class Line, class Nodes>
__device__ __forceinline__ tree_state<F, T> scan_page_in_order(const scan_basics<F, T>& a, const Line& line,
                                                               const Nodes& nodes, std::int64_t page) {
  using L = lane_state<F, T>;
  using S = tree_state<F, T>;
  constexpr bool has_strips = layout_of<F, T> == layout::sequence;
  const std::int64_t begin = page * page_elements(sizeof(T));
  const int count = elements_of_page<T>(line, page);
  S before = page > 0 ? state_before<F, S>(a.fold, nodes, page) : empty_state<F, T>(a.fold);
  alignas(L) unsigned char memory[(has_strips ? 16 : 1) * sizeof(L)];
  L* const strips = reinterpret_cast<L*>(memory);
  int held = 0;
  L run = identity_of<F, lane_value<F, T>>(a.fold), v = run;
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
    const std::int64_t at = begin + i;
    const T element = line[at];
    if (a.exclusive) a.write(line.result(at), at, before);  // which may be the element's place
    if (has_strips ? i % strip_rows == 0 : i == 0)
      run = lift_at(a.fold, element, at);
    else if constexpr (has_strips)
      run = push_at(a.fold, run, element, at);
    else
      a.fold.push(run, element);
    v = run;
    if constexpr (has_strips) {
      v = end_strip(a.fold, run);
      if (i % strip_rows == strip_rows - 1) {
        strips[held++] = v;
        for (int carry = i / strip_rows; carry & 1; carry >>= 1) {
          --held;
          strips[held - 1] = a.fold.combine(strips[held - 1], strips[held]);
        }
        v = strips[held - 1];
        for (int k = held - 1; k-- > 0;) v = a.fold.combine(strips[k], v);
      } else {
        for (int k = held; k-- > 0;) v = a.fold.combine(strips[k], v);
      }
    }
    const S s = with_nodes(a.fold, nodes, page, to_tree<F, T>(a.fold, v));
    if (!a.exclusive) a.write(line.result(at), at, s);
    before = s;
  }
  return to_tree<F, T>(a.fold, v);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
