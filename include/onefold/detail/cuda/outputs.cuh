// Many outputs on a device: where their elements lie, and where their results go.
#pragma once

#include "onefold/detail/cuda/gather.cuh"
#include "onefold/detail/cuda/warp_lanes.cuh"
#include "onefold/problem.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// a / b, for a >= 0 and b > 0: a division of 64 bits takes 70 instructions.
__device__ inline std::int64_t quotient_of(std::int64_t a, std::int64_t b) {
  return ((a | b) >> 32) == 0 ? static_cast<std::uint32_t>(a) / static_cast<std::uint32_t>(b) : a / b;
}

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
  std::int64_t n;         ///< elements of each output
  outcome_place place;    ///< of the first result
  std::int32_t distance;  ///< bytes from a result to the next

  __device__ void* result(std::int64_t output) const { return static_cast<char*>(place.out) + output * distance; }
};

/// The arguments of a kernel over many outputs.
template <class F, class T>
struct outputs_arguments : device_outputs<T> {
  F fold;
  std::int64_t pages;        ///< of each output, at least 1
  tree_state<F, T>* states;  ///< of all pages, output by output, where an output has more than one

  /// How many elements page `page` of an output has.
  __device__ int count(std::int64_t page) const {
    constexpr std::int64_t size = page_elements(sizeof(T));
    return static_cast<int>(min(this->n - page * size, size));
  }

  /// The result of an output; for one thread.
  __device__ void finish(std::int64_t output, const tree_state<F, T>& s) const {
    write_result_apart<F, T>(fold, s, this->n, this->place, this->result(output));
  }
  /// Stores the state of a page, or the result of an output that has only one page. For one thread.
  __device__ void leave(std::int64_t output, std::int64_t page, const tree_state<F, T>& s) const {
    if (pages <= 1)
      finish(output, s);
    else
      states[output * pages + page] = s;
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

/// As aligned_warp_tree, in little code: here nobody waits for it.
template <class F, class S>
__device__ S small_warp_tree(const F& f, S s, int present) {
#pragma unroll 1
  for (int d = 1; d < present; d *= 2) {
    const S right = from_above(s, d);
    if ((lane_id() & (2 * d - 1)) == 0 && lane_id() + d < present) s = f.combine(s, right);
  }
  return s;
}

/// Each block, or where outputs have few pages each warp, walks the aligned tree over the pages of an output. Outputs
/// of no elements end here, too.
template <class F, class T>
__global__ void __launch_bounds__(32 * join_warps) join_pages(const __grid_constant__ outputs_arguments<F, T> a) {
  using S = tree_state<F, T>;
  __shared__ alignas(S) unsigned char memory[join_warps * sizeof(S)];
  S* const shared = reinterpret_cast<S*>(memory);
  await_stream();
  const auto combine = [&](const S& x, const S& y) { return a.fold.combine(x, y); };
  const int warp = static_cast<int>(threadIdx.x / 32);
  const bool by_warp = joins_by_warp(a.pages);
  std::int64_t share = by_warp ? a.pages : 32;
  if (!by_warp)
    while (share * join_warps < a.pages) share *= 2;
  const std::int64_t from = by_warp ? 0 : warp * share, past = a.n == 0 ? from : min(from + share, a.pages);
  const int warps_there = by_warp ? 1 : static_cast<int>((a.pages + share - 1) / share);
  const int at_once = by_warp ? join_warps : 1;
#pragma unroll 1
  for (std::int64_t o = std::int64_t{blockIdx.x} * at_once + (by_warp ? warp : 0); o < a.outputs;
       o += std::int64_t{gridDim.x} * at_once) {
    const S* const s = a.states + o * a.pages;
    S total = empty_state<F, T>(a.fold);
    if (from < past) {
      aligned_tree<S> tree;
#pragma unroll 1
      for (std::int64_t at = from; at < past; at += 32) {
        total = small_warp_tree(a.fold, s[min(at + lane_id(), past - 1)],
                                static_cast<int>(min(past - at, std::int64_t{32})));
        if (past - from > 32 && lane_id() == 0) tree.push(total, combine);
      }
      if (past - from > 32 && lane_id() == 0) total = tree.total(combine);
    }
    if (warps_there > 1) {
      if (from < past && lane_id() == 0) shared[warp] = total;
      __syncthreads();
      if (warp == 0) total = small_warp_tree(a.fold, shared[min(lane_id(), warps_there - 1)], warps_there);
      __syncthreads();
    }
    if (lane_id() == 0 && (by_warp || warp == 0)) a.finish(o, total);
  }
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
