// Many outputs on a device: where their elements lie, and where their results go.
#pragma once

#include "onefold/detail/cuda/gather.cuh"
#include "onefold/detail/cuda/segment_tiles.cuh"
#include "onefold/detail/cuda/warp_lanes.cuh"
#include "onefold/problem.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Some axes, as a kernel takes them.
struct device_axes {
  std::int32_t count;
  axis of[most_axes];  ///< outermost first

  /// How far the element with this number, in C order, is from the first, in elements.
  __device__ std::int64_t offset(std::int64_t number) const {
    return count > 1 ? far_offset(number) : count == 1 ? number * of[0].stride : 0;
  }

 private:
  __device__ __noinline__ std::int64_t far_offset(std::int64_t number) const {
    std::int64_t at = 0;
#pragma unroll 1
    for (int i = count - 1; i > 0; --i) {
      const std::int64_t above = quotient_of(number, of[i].extent);
      at += (number - above * of[i].extent) * of[i].stride;
      number = above;
    }
    return at + number * of[0].stride;
  }
};

/// The outputs of a launch: where their elements lie, and where their results go.
template <class T>
struct device_outputs {
  const T* data;
  device_axes kept, reduced;
  std::int64_t outputs;
  std::int64_t n;          ///< elements of each output, and of all segments
  segment_table segments;  ///< where the outputs are segments: they have no axes then
  destination to;          ///< of the first result
  std::int32_t distance;   ///< bytes from a result to the next

  /// How many outputs there are: of segments, that may be known on the device alone.
  __device__ std::int64_t present() const { return segments.present(outputs); }
  __device__ void* result(std::int64_t output) const { return static_cast<char*>(to.out) + output * distance; }
};

/// The arguments of a kernel over many outputs.
template <class F, class T>
struct outputs_arguments : device_outputs<T> {
  std::int64_t pages;        ///< of each output, at least 1; more if a segment may have more
  tree_state<F, T>* states;  ///< of all pages, output by output, where an output has more than one
  alignas(16) F fold;        ///< last: where it is does not depend on F and T

  /// How many elements page `page` of an output has.
  __device__ int count(std::int64_t page) const {
    constexpr std::int64_t size = page_elements(sizeof(T));
    return static_cast<int>(min(this->n - page * size, size));
  }

  /// The result of an output of n elements; for one thread.
  __device__ void finish(std::int64_t output, std::int64_t elements, const tree_state<F, T>& s) const {
    write_result_apart<F, T>(fold, s, elements, this->to, this->result(output));
  }
  /// The same, inlined where a call would count: with one, rows of 8 took a sixth longer (H200).
  __device__ __forceinline__ void finish_inlined(std::int64_t output, std::int64_t elements,
                                                 const tree_state<F, T>& s) const {
    finish_at(this->result(output), elements, s);
  }
  /// The same, of the output whose result is at `out`.
  __device__ __forceinline__ void finish_at(void* out, std::int64_t elements, const tree_state<F, T>& s) const {
    if constexpr (is_rare<F>)
      write_result_apart<F, T>(fold, s, elements, this->to, out);
    else
      write_result<F, T>(fold, s, elements, this->to, out);
  }
  /// Publishes the state of a page, or the result of an output that has only one page. For one thread.
  __device__ void publish(std::int64_t output, std::int64_t page, const tree_state<F, T>& s) const {
    if (pages <= 1)
      finish(output, this->n, s);
    else
      states[output * pages + page] = s;
  }

  // Segments have a state in each tile for the first page of one, and another for a later page of one.

  __device__ tree_state<F, T>& page_state(std::int64_t tile, bool later) const {
    return states[2 * tile + (later ? 1 : 0)];
  }
};

/// An element as a fold's lift takes it.
template <class F, class T>
__device__ auto liftable(const T& x) {
  if constexpr (folds_packs<F, lane_value<F, T>>)
    return warp_lanes<F, T>::element(__builtin_bit_cast(storage_t<T>, x));
  else
    return x;
}

// ---- outputs of several pages ------------------------------------------------------------------------------

/// Warps of a block that joins the pages of an output, and whether a single warp joins that many pages.
inline constexpr int join_warps = 8;
ONEFOLD_INLINE constexpr bool joins_by_warp(std::int64_t pages) { return pages <= 128; }

/// As aligned_warp_tree, in little code: nothing waits for it here.
template <class F, class S>
__device__ S small_warp_tree(const F& f, S s, int present) {
#pragma unroll 1
  for (int d = 1; d < present; d *= 2) {
    const S right = from_above(s, d);
    if ((lane_id() & (2 * d - 1)) == 0 && lane_id() + d < present) s = f.combine(s, right);
  }
  return s;
}

/// An output whose pages are to be joined: where their states are.
struct pages_to_join {
  std::int64_t output, n, pages;
  std::int64_t first;       ///< the place of the first page's state
  std::int64_t rest, step;  ///< that of page p, from 1 on, is rest + p * step
};

template <class F, class T>
struct page_joiner {
  using S = tree_state<F, T>;
  const outputs_arguments<F, T>& a;
  S* shared;  ///< join_warps states of the block

  /// Neighboring pages that a thread joins at once, a power of two: their states are loaded together.
  static constexpr int of_thread = sizeof(S) <= 16 ? 8 : 1;

  /// The node of `of_thread` pages of this thread, of `present` of the warp's from page `at` on.
  __device__ S joined(const pages_to_join& what, std::int64_t at, int present) const {
    const int first = of_thread * lane_id();
    S s[of_thread];
#pragma unroll
    for (int i = 0; i < of_thread; ++i) {
      const std::int64_t page = at + min(first + i, present - 1);
      s[i] = a.states[page == 0 ? what.first : what.rest + page * what.step];
    }
#pragma unroll
    for (int d = 1; d < of_thread; d *= 2)
#pragma unroll
      for (int i = 0; i + d < of_thread; i += 2 * d)
        if (first + i + d < present) s[i] = a.fold.combine(s[i], s[i + d]);
    return s[0];
  }

  /// The aligned tree over the states of an output, by one warp or by all of the block.
  __device__ __noinline__ void join(const pages_to_join& what) const {
    const auto combine = [&](const S& x, const S& y) { return a.fold.combine(x, y); };
    const bool by_warp = joins_by_warp(what.pages);
    const int warp = by_warp ? 0 : static_cast<int>(threadIdx.x / 32);
    std::int64_t share = by_warp ? what.pages : 32 * of_thread;
    if (!by_warp)
      while (share * join_warps < what.pages) share *= 2;
    const std::int64_t from = warp * share, past = what.n == 0 ? from : min(from + share, what.pages);
    S total = empty_state<F, T>(a.fold);
    if (from < past) {
      aligned_tree<S> tree;
      constexpr int at_once = 32 * of_thread;
#pragma unroll 1
      for (std::int64_t at = from; at < past; at += at_once) {
        const int present = static_cast<int>(min(past - at, std::int64_t{at_once}));
        total = small_warp_tree(a.fold, joined(what, at, present), (present + of_thread - 1) / of_thread);
        if (past - from > at_once && lane_id() == 0) tree.push(total, combine);
      }
      if (past - from > at_once && lane_id() == 0) total = tree.total(combine);
    }
    if (!by_warp) {
      const int present = static_cast<int>((what.pages + share - 1) / share);
      if (from < past && lane_id() == 0) shared[warp] = total;
      __syncthreads();
      if (warp == 0) total = small_warp_tree(a.fold, shared[min(lane_id(), present - 1)], present);
      __syncthreads();
    }
    if (lane_id() == 0 && warp == 0) a.finish(what.output, what.n, total);
  }
};

/// Tiles whose long segments a block joins at once: two for each thread of a warp.
inline constexpr int join_tiles = 64;

/// Joins the pages of outputs: by a block or, where there are few, by a warp. Outputs of no elements end here, too.
template <class F, class T>
__global__ void __launch_bounds__(32 * join_warps) join_pages(const __grid_constant__ outputs_arguments<F, T> a) {
  using S = tree_state<F, T>;
  alignas(S) __shared__ unsigned char memory[join_warps * sizeof(S)];
  await_stream();
  const page_joiner<F, T> joiner{a, reinterpret_cast<S*>(memory)};
  const int warp = static_cast<int>(threadIdx.x / 32);
  if (!a.segments.offsets) {
    const bool by_warp = joins_by_warp(a.pages);
    const std::int64_t at_once = by_warp ? join_warps : 1;
#pragma unroll 1
    for (std::int64_t o = blockIdx.x * at_once + (by_warp ? warp : 0); o < a.outputs; o += gridDim.x * at_once)
      joiner.join({o, a.n, a.pages, o * a.pages, o * a.pages, 1});
    return;
  }
  const std::int64_t count = a.segments.count(a.outputs, page_elements(sizeof(T)));
#pragma unroll 1
  for (std::int64_t first = std::int64_t{blockIdx.x} * join_tiles; first < count;
       first += std::int64_t{gridDim.x} * join_tiles) {
    const auto begins = [&](std::int64_t tile) { return tile < count && a.segments.tiles[tile].begins; };
    const bool lower = begins(first + lane_id()), upper = begins(first + 32 + lane_id());
    int before = 0;  // those that a warp joins
#pragma unroll 1
    for (unsigned long long left =
             std::uint64_t{__ballot_sync(whole_warp, upper)} << 32 | __ballot_sync(whole_warp, lower);
         left != 0; left &= left - 1) {
      const std::int64_t tile = first + __ffsll(static_cast<long long>(left)) - 1;
      const std::int64_t segment = a.segments.tiles[tile].segment + a.segments.tiles[tile].whole;
      const std::int64_t n = a.segments[segment + 1] - a.segments[segment], pages = pages_of(n, sizeof(T));
      if (!joins_by_warp(pages) || before++ % join_warps == warp)
        joiner.join({segment, n, pages, 2 * tile, 2 * tile + 1, 2});
    }
  }
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
