// From the states of blocks to one: slots of flagged words, polled by the block that gathers, and the aligned tree.
#pragma once

#include "onefold/detail/cuda/outcome.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// What a kernel is told.
template <class F, class T>
struct kernel_arguments {
  const T* data;
  std::int64_t n;
  const std::int64_t* device_n;
  std::int64_t first;
  std::uint64_t* slots;
  int log2;   ///< strips: of the pages that a block folds at once; pages: of those of a warp
  int turns;  ///< strips: how often a block folds this many, a power of two
  destination to;
  alignas(16) F fold;  ///< last: where it is does not depend on F and T

  __device__ std::int64_t count() const { return device_n ? min(max(*device_n, std::int64_t{0}), n) : n; }
};

template <class F, class T>
__device__ tree_state<F, T> empty_state(const F& f) {
  return to_tree<F, T>(f, identity_of<F, lane_value<F, T>>(f));
}

template <class S>
__device__ void look_at_slot(const std::uint64_t* slots, std::int64_t i, std::uint64_t (&early)[words<S>::count]) {
#pragma unroll(words <S>::unrolled)
  for (int w = 0; w < words<S>::count; ++w)
    early[w] = *const_cast<const volatile std::uint64_t*>(slots + i * words<S>::count + w);
}

/// Waits for the state in slot i, all of its words at once, and leaves the slot zero. `early` is what a load has found
/// there already.
template <class S>
__device__ words<S> take_slot(std::uint64_t* slots, std::int64_t i, const std::uint64_t (&early)[words<S>::count]) {
  std::uint64_t word[words<S>::count];
#pragma unroll(words <S>::unrolled)
  for (int w = 0; w < words<S>::count; ++w) word[w] = early[w];
  const auto there = [&] {
    bool all = true;
#pragma unroll(words <S>::unrolled)
    for (int w = 0; w < words<S>::count; ++w) all &= word[w] >> 32 != 0;
    return all;
  };
  while (!there()) look_at_slot<S>(slots, i, word);
  words<S> x;
#pragma unroll(words <S>::unrolled)
  for (int w = 0; w < words<S>::count; ++w) {
    x.w[w] = static_cast<std::uint32_t>(word[w]);
    slots[i * words<S>::count + w] = 0;
  }
  return x;
}

/// The node of up to 32 slots from `first`, in thread 0.
template <class F, class S>
__device__ S gather_few(const F& f, std::uint64_t* slots, std::int64_t first, std::int64_t past,
                        const std::uint64_t (&early)[words<S>::count]) {
  words<S> x{};
  if (first + lane_id() < past) x = take_slot<S>(slots, first + lane_id(), early);
  return aligned_warp_tree(f, x.state(), static_cast<int>(min(past - first, std::int64_t{32})));
}

/// The aligned tree over `count` slots, by `warps` warps, of which this is number `warp`; `meet` is their barrier,
/// `shared` room for a state a warp. Thread 0 hands the total to `done`.
template <class F, class T, class Meet, class Done>
__device__ void gather_to(const kernel_arguments<F, T>& a, std::int64_t count, int warp, int warps,
                          tree_state<F, T>* shared, const Meet& meet, const Done& done) {
  using S = tree_state<F, T>;
  release_stream();
  std::int64_t share = 32;  // slots of a warp
  while (share * warps < count) share *= 2;
  const std::int64_t from = warp * share, past = min(count, from + share);
  if (share == 32) {
    if (from < past) {
      std::uint64_t early[words<S>::count] = {};
      const S s = gather_few<F, S>(a.fold, a.slots, from, past, early);
      if (lane_id() == 0) shared[warp] = s;
    }
  } else {
    constexpr int batch = sizeof(S) <= 8 ? 8 : 2;  // loads on their way at once
    aligned_tree<S> tree;
    const auto combine = [&](const S& x, const S& y) { return a.fold.combine(x, y); };
    for (std::int64_t at = from; at < past; at += 32 * batch) {
      std::uint64_t early[batch][words<S>::count];
#pragma unroll
      for (int b = 0; b < batch; ++b)
        if (const std::int64_t i = at + 32 * b + lane_id(); i < past) look_at_slot<S>(a.slots, i, early[b]);
#pragma unroll
      for (int b = 0; b < batch; ++b) {
        if (at + 32 * b >= past) break;
        const S s = gather_few<F, S>(a.fold, a.slots, at + 32 * b, past, early[b]);
        if (lane_id() == 0) tree.push(s, combine);
      }
    }
    if (lane_id() == 0 && from < past) shared[warp] = tree.total(combine);
  }
  meet();
  if (warp == 0) {
    const int present = static_cast<int>((count + share - 1) / share);
    const S s = aligned_warp_tree(a.fold, shared[min(lane_id(), present - 1)], present);
    if (lane_id() == 0) done(s);
  }
}

/// As gather_to; writes the outcome.
template <class F, class T, class Meet>
__device__ void gather(const kernel_arguments<F, T>& a, std::int64_t n, std::int64_t count, int warp, int warps,
                       tree_state<F, T>* shared, const Meet& meet) {
  gather_to(a, count, warp, warps, shared, meet,
            [&](const tree_state<F, T>& s) { write_outcome<F, T>(a.fold, s, n, a.to); });
}

/// Publishes a run's state in its slot, or as the outcome where the run is the only one.
template <class F, class T>
__device__ void publish(const kernel_arguments<F, T>& a, std::int64_t n, std::int64_t run, std::int64_t runs,
                        const tree_state<F, T>& s) {
  if (runs == 1)
    write_outcome<F, T>(a.fold, s, n, a.to);
  else
    write_flagged(a.slots + run * words<tree_state<F, T>>::count, s, 1);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
