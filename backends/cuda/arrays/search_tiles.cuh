// argmin and argmax of many outputs: the extremes of a tile first, then where they are, both from shared memory.
#pragma once

#include "arrays/search.cuh"
#include "onefold/detail/cuda/shapes.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Searches in elements p[t], p[t + step], ... before p[n], for a thread.
template <class F, class T>
struct tile_search {
  using E = typename F::extreme;
  using V = lane_value<E, T>;
  static constexpr int nowhere = 0x7fffffff;

  __device__ static V element(const T* p, int i) {
    return warp_lanes<E, T>::element(reinterpret_cast<const storage_t<T>*>(p)[i]);
  }
  __device__ static V better(V a, V b) { return E::combine(plain<V>{a}, plain<V>{b}).s; }
  /// The best of them; the last of all where there are none.
  __device__ static V best(const T* p, int n, int t, int step) {
    V v = element(p, min(t, n - 1));
#pragma unroll 4
    for (int i = t + step; i < n; i += step) v = better(v, element(p, i));
    return v;
  }
  /// The first place of v among them, or nowhere.
  __device__ static int place(const T* p, int n, int t, int step, V v) {
    int first = nowhere;
#pragma unroll 4
    for (int i = t; i < n; i += step)
      if (F::same(element(p, i), v)) first = min(first, i);
    return first;
  }
};

/// By groups of `width` threads, each an output, where a tile has outputs for all warps or they are short; else all
/// threads share one.
template <class F, class T>
__global__ void __launch_bounds__(32 * tile_warps, 6)
    search_tiles(const __grid_constant__ outputs_arguments<F, T> a, const __grid_constant__ tiling how) {
  using search = tile_search<F, T>;
  using V = typename search::V;
  using tile = typename tile_reader<F, T>::tile;
  ONEFOLD_DYNAMIC_MEMORY(memory);
  __shared__ V bests[tile_warps];
  __shared__ int places[tile_warps];
  const int warp = static_cast<int>(threadIdx.x / 32);
  const tile_reader<F, T> reader{a, how};
  int width = 32;
  while (width > 1 && width / 2 >= a.n) width /= 2;

  const auto by_groups = [&](const tile& now, const T* x) {
    const int of_warp = 32 / width, t = lane_id() & (width - 1);
#pragma unroll 1
    for (int first = warp * of_warp; first < now.outputs; first += of_warp * tile_warps) {
      const int mine = first + lane_id() / width;
      const T* const p = x + reader.place(now, min(mine, now.outputs - 1));
      V best = search::best(p, now.count, t, width);
#pragma unroll 1
      for (int bit = width / 2; bit > 0; bit /= 2) best = search::better(best, from_xor(best, bit));
      int place = search::place(p, now.count, t, width, best);
#pragma unroll 1
      for (int bit = width / 2; bit > 0; bit /= 2) place = min(place, from_xor(place, bit));
      if (t == 0 && mine < now.outputs)
        a.leave(now.output + mine, now.page, {best, now.page * page_elements(sizeof(T)) + place});
    }
  };
  const auto together = [&](const tile& now, const T* x) {
    const int t = static_cast<int>(threadIdx.x), step = 32 * tile_warps;
#pragma unroll 1
    for (int i = 0; i < now.outputs; ++i) {
      const T* const p = x + reader.place(now, i);
      V best = search::best(p, now.count, t, step);
#pragma unroll
      for (int bit = 16; bit > 0; bit /= 2) best = search::better(best, from_xor(best, bit));
      if (lane_id() == 0) bests[warp] = best;
      __syncthreads();
#pragma unroll
      for (int w = 0; w < tile_warps; ++w) best = search::better(best, bests[w]);
      const int place = __reduce_min_sync(whole_warp, search::place(p, now.count, t, step, best));
      if (lane_id() == 0) places[warp] = place;
      __syncthreads();
      if (t != 0) continue;
      int first = places[0];
#pragma unroll
      for (int w = 1; w < tile_warps; ++w) first = min(first, places[w]);
      a.leave(now.output + i, now.page, {best, now.page * page_elements(sizeof(T)) + first});
    }
  };

  await_stream();
  reader.walk(reinterpret_cast<char*>(memory), [&](const tile& now, const char* buffer) {
    if (now.outputs >= tile_warps || now.count <= 32)
      by_groups(now, reinterpret_cast<const T*>(buffer));
    else
      together(now, reinterpret_cast<const T*>(buffer));
  });
  release_stream();
}

template <searches F, class T>
struct tile_folder<F, T> {
  static constexpr std::int64_t packed_from = 1, packed_to = 64;
  static cudaError_t launch(const device_launch& how, unsigned blocks, const outputs_arguments<F, T>& a,
                            const tiling& tiles) {
    return detail::launch(how, blocks, 32 * tile_warps, 2 * tiling::buffer_bytes, search_tiles<F, T>, a, tiles);
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
