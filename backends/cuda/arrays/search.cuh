// argmin and argmax in the schedule of strips, without shared memory: they may be folded in any order.
#pragma once

#include "arrays/strips.cuh"
#include "onefold/detail/folds/search_runs.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// A thread keeps its best value and the page that it came from, over all turns; the
/// place within its strip of that page is looked up once, by the threads whose value is the block's.
template <class F, class T>
__global__ void __launch_bounds__(256, resident_blocks<F, T>)
    fold_search(const __grid_constant__ kernel_arguments<F, T> a) {
  using E = typename F::extreme;
  using page = warp_lanes<E, T>;
  using value = lane_value<E, T>;
  using S = tree_state<F, T>;
  constexpr int lanes = page::lanes, K = page::K;
  constexpr int page_size = static_cast<int>(page_elements(sizeof(T)));
  alignas(S) __shared__ unsigned char state_memory[32 * sizeof(S)];
  S* const states = reinterpret_cast<S*>(state_memory);
  __shared__ int places[8];

  await_stream();
  const block_share<F, T, false> my{a};
  const int warps = 4 * my.at_once;
  if (my.blocks > 1 && blockIdx.x == gridDim.x - 1)
    return gather(a, my.n, my.blocks, my.warp, warps, states, [] { __syncthreads(); });
  if (my.n == 0 && blockIdx.x == 0 && threadIdx.x == 0) [[unlikely]]
    write_outcome<F, T>(a.fold, empty_state<F, T>(a.fold), 0, a.place);
  if (static_cast<int>(blockIdx.x) >= my.blocks || my.n == 0) return;

  const int at = page::place(my.strip, 0);
  const auto* data = reinterpret_cast<const storage_t<T>*>(a.data) + my.first * page_size + at;
  const auto left = [&](int p) {
    return static_cast<int>(min(my.n - (my.first + p) * page_size, std::int64_t{page_size})) - at;
  };
  plain<value> best = E::template identity<value>();
  int found = -1;
#pragma unroll 1
  for (int p = my.place; p < my.present; p += my.at_once) {
    const auto t = my.aligned && left(p) == page_size - at
                       ? page::whole_strip(E{}, data + p * page_size)
                       : page::part_strip(E{}, data + p * page_size, left(p), my.aligned);
    auto m = t.s[0];
#pragma unroll
    for (int c = 1; c < K; ++c) m = E::combine(m, t.s[c]);
    if (left(p) > 0 && (found < 0 || !F::same(E::combine(best, m).s, best.s))) {
      best = m;
      found = p;
    }
  }
  plain<value> all = best;
#pragma unroll
  for (int bit = 16; bit > 0; bit /= 2) all = E::combine(all, from_xor(all, bit));
  plain<value>* const bests = reinterpret_cast<plain<value>*>(state_memory);
  if (lane_id() == 0) bests[my.warp] = all;
  __syncthreads();
  for (int w = 0; w < warps; ++w) all = E::combine(all, bests[w]);
  int place = 0x7fffffff;
  if (found >= 0 && F::same(best.s, all.s)) {
    const auto* p = data + found * page_size;
#pragma unroll 1
    for (int r = strip_rows - 1; r >= 0; --r)
      for (int c = K - 1; c >= 0; --c)
        if (r * lanes + c < left(found) && F::same(page::element(p[r * lanes + c]), best.s))
          place = found * page_size + at + r * lanes + c;
  }
  place = __reduce_min_sync(whole_warp, place);
  if (lane_id() == 0) places[my.warp] = place;
  release_stream();
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int w = 0; w < warps; ++w) place = min(place, places[w]);
  leave(a, my.n, blockIdx.x, my.blocks, S{all.s, a.first + my.first * page_size + place});
}

template <class F, class T>
int launch_search(const device_launch& how) {
  const std::int64_t pages = pages_of(how.n, sizeof(T));
  if (pages > most_pages) return cudaErrorInvalidValue;
  kernel_arguments<F, T> a = arguments_for<F, T>(fold_object<F>(how.op), how.n, how);
  const strip_schedule spread = spread_strips(pages, how, a);
  return launch(how, grid_of(spread.blocks), 128u << spread.log2, 0, fold_search<F, T>, a);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
