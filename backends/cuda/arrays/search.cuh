// argmin and argmax in the schedule of strips, without shared memory: they may be folded in any order.
#pragma once

#include "arrays/strips.cuh"
#include "onefold/detail/folds/search_runs.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The least of all threads of a block, by up to 32 words of shared memory.
__device__ inline int least_of_block(int x, int* shared) {
  x = __reduce_min_sync(whole_warp, x);
  if (lane_id() == 0) shared[threadIdx.x / 32] = x;
  __syncthreads();
  for (unsigned w = 0; w < blockDim.x / 32; ++w) x = min(x, shared[w]);
  return x;
}

/// The first place of v in the page of `count` elements at p, among those that this thread looks at: words of 16 bytes,
/// all loaded at once, then what is before and after them.
template <class F, class T>
__device__ int place_in_page(const T* p, int count, lane_value<typename F::extreme, T> v) {
  using page = warp_lanes<typename F::extreme, T>;
  constexpr int K = 16 / static_cast<int>(sizeof(T)), at_once = 4;
  const auto* const data = reinterpret_cast<const storage_t<T>*>(p);
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  const int before = static_cast<int>(-reinterpret_cast<std::uintptr_t>(p) % 16 / sizeof(T));
  int place = 0x7fffffff;
  const auto look = [&](storage_t<T> x, int i) {
    if (F::same(page::element(x), v)) place = min(place, i);
  };
#pragma unroll 1
  for (int first = before + K * thread; first + K <= count; first += K * threads * at_once) {
    neighbors<storage_t<T>, K> x[at_once];
#pragma unroll
    for (int i = 0; i < at_once; ++i)
      if (first + i * K * threads + K <= count) x[i] = neighbors<storage_t<T>, K>::load(data + first + i * K * threads);
#pragma unroll
    for (int i = 0; i < at_once; ++i)
      if (first + i * K * threads + K <= count)
#pragma unroll
        for (int c = 0; c < K; ++c) look(x[i].e[c], first + i * K * threads + c);
  }
  if (thread < min(before, count)) look(data[thread], thread);
  if (thread < (count - before) % K) look(data[count - 1 - thread], count - 1 - thread);
  return place;
}

/// A thread keeps its best value and the first page that it came from, over all turns, and so do blocks: a state's
/// index is where that page begins. The block that gathers looks the place up. Turned: the array does not begin at a
/// multiple of 16 bytes.
template <class F, class T, bool Turned>
__global__ void __launch_bounds__(256, resident_blocks<F, T>)
    fold_search(const __grid_constant__ kernel_arguments<F, T> a) {
  using E = typename F::extreme;
  using page = warp_lanes<E, T>;
  using value = lane_value<E, T>;
  using S = tree_state<F, T>;
  constexpr int page_size = static_cast<int>(page_elements(sizeof(T)));
  alignas(S) __shared__ unsigned char state_memory[32 * sizeof(S)];
  S* const states = reinterpret_cast<S*>(state_memory);
  __shared__ int pages[8], places[8];

  await_stream();
  const block_share<F, T, false> my{a};
  const int warps = 4 * my.at_once;
  // For all threads: of `best`, whose page begins with element `begin`.
  const auto write_place = [&](value best, std::int64_t begin) {
    const auto count = static_cast<int>(min(my.n - begin, std::int64_t{page_size}));
    const int place = least_of_block(place_in_page<F, T>(a.data + begin, count, best), places);
    if (threadIdx.x == 0) write_outcome<F, T>(a.fold, S{best, a.first + begin + place}, my.n, a.to);
  };
  if (my.blocks > 1 && blockIdx.x == gridDim.x - 1) {
    gather_to(
        a, my.blocks, my.warp, warps, states, [] { __syncthreads(); }, [&](const S& s) { states[0] = s; });
    __syncthreads();
    return write_place(states[0].value, states[0].index);
  }
  if (my.n == 0 && blockIdx.x == 0 && threadIdx.x == 0) [[unlikely]]
    write_outcome<F, T>(a.fold, empty_state<F, T>(a.fold), 0, a.to);
  if (static_cast<int>(blockIdx.x) >= my.blocks || my.n == 0) return;

  const int at = page::place(my.strip, 0);
  const auto* data = reinterpret_cast<const storage_t<T>*>(a.data) + my.first * page_size + at;
  const auto left = [&](int p) {
    return static_cast<int>(min(my.n - (my.first + p) * page_size, std::int64_t{page_size})) - at;
  };
  const E extreme{};
  const auto strip_of = [&](int p) {
    const std::int64_t from = (my.first + p) * page_size + my.strip * page::strip;
    const auto here = static_cast<int>(min(my.n - from, std::int64_t{page::strip + page::K}));
    if constexpr (Turned) {
      const turned_strip<E, T> strip(extreme, a.data + from, turned_by(a.data));
      return from > 0 && here == page::strip + page::K ? strip.whole() : strip.part(from == 0, here);
    } else if constexpr (has_turned_strips<E, T> && sizeof(T) == 1) {  // fewer registers
      return here >= page::strip ? page::whole_strip(extreme, data + p * page_size)
                                 : turned_strip<E, T>(extreme, a.data + from, 0).part(false, here);
    } else {
      return my.aligned && left(p) == page_size - at
                 ? page::whole_strip(extreme, data + p * page_size)
                 : page::part_strip(extreme, data + p * page_size, left(p), my.aligned);
    }
  };
  plain<value> best = E::template identity<value>();
  int found = -1;
#pragma unroll 1
  for (int p = my.place; p < my.present; p += my.at_once) {
    const auto t = strip_of(p);
    auto m = t.s[0];
#pragma unroll
    for (int c = 1; c < page::K; ++c) m = E::combine(m, t.s[c]);
    if (found < 0 || !F::same(E::combine(best, m).s, best.s)) {  // the identity is not better
      best = m;
      found = p;
    }
  }
  release_stream();
  plain<value> all = best;
#pragma unroll
  for (int bit = 16; bit > 0; bit /= 2) all = E::combine(all, from_xor(all, bit));
  plain<value>* const bests = reinterpret_cast<plain<value>*>(state_memory);
  if (lane_id() == 0) bests[my.warp] = all;
  __syncthreads();
  for (int w = 0; w < warps; ++w) all = E::combine(all, bests[w]);
  const int best_page = least_of_block(found >= 0 && F::same(best.s, all.s) ? found : 0x7fffffff, pages);
  const std::int64_t begin = (my.first + best_page) * page_size;
  if (my.blocks == 1) return write_place(all.s, begin);
  if (threadIdx.x == 0) publish(a, my.n, blockIdx.x, my.blocks, S{all.s, begin});
}

template <class F, class T>
int launch_search(const device_launch& how) {
  const std::int64_t pages = pages_of(how.n, sizeof(T));
  if (pages > most_pages) return cudaErrorInvalidValue;
  kernel_arguments<F, T> a = arguments_for<F, T>(fold_object<F>(how.op), how.n, how);
  const strip_schedule spread = spread_strips(pages, how, a);
  auto kernel = fold_search<F, T, false>;
  if constexpr (has_turned_strips<typename F::extreme, T>)
    if (is_turned<typename F::extreme, T>(how)) kernel = fold_search<F, T, true>;
  return launch(how, grid_of(spread.blocks), 128u << spread.log2, 0, kernel, a);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
