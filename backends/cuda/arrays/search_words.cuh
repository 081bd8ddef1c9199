// argmin and argmax of outputs whose elements follow each other: words are read straight into registers, where first
// the extreme is found, then its place.
#pragma once

#include "arrays/direct.cuh"
#include "arrays/search.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Searches in words that a group of threads holds.
template <class F, class T>
struct word_search {
  using words = word_fold<F, T>;
  using word = typename words::word;
  using E = typename F::extreme;
  using V = lane_value<E, T>;
  static constexpr int K = words::K, lanes = words::lanes, nowhere = 0x7fffffff;

  __device__ static V element(const word& x, int c) { return warp_lanes<E, T>::element(x.part(c)); }
  __device__ static V better(V a, V b) { return E::combine(plain<V>{a}, plain<V>{b}).s; }

  /// The best of those elements that have a number below n, of thread t of the group.
  template <int Rows>
  __device__ __forceinline__ static V best(const word (&x)[Rows], int n, int t) {
    V all = E::template identity<V>().s;
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
      if ((r + 1) * lanes <= n) {
#pragma unroll
        for (int c = 0; c < K; ++c) all = better(all, element(x[r], c));
      } else if (r * lanes < n) {  // no `break`, which would keep it a loop
#pragma unroll
        for (int c = 0; c < K; ++c) all = selected(r * lanes + K * t + c < n, better(all, element(x[r], c)), all);
      }
    }
    return all;
  }
  /// The first place of v among them, or nowhere.
  template <int Rows>
  __device__ __forceinline__ static int place(const word (&x)[Rows], int n, int t, V v) {
    if constexpr (is_float<value_of<V>>) {
      if (v != v) [[unlikely]]
        return place_where(x, n, t, [](V e) { return e != e; });
      return place_where(x, n, t, [&](V e) { return bits_as<bits_of<V>>(e) == bits_as<bits_of<V>>(v); });
    } else {
      return place_where(x, n, t, [&](V e) { return e == v; });
    }
  }

 private:
  template <int Rows, class Test>
  __device__ __forceinline__ static int place_where(const word (&x)[Rows], int n, int t, const Test& is_it) {
    int first = nowhere;
#pragma unroll
    for (int r = Rows - 1; r >= 0; --r)
#pragma unroll
      for (int c = K - 1; c >= 0; --c)
        if (is_it(element(x[r], c))) first = r * lanes + K * t + c;
    return first < n ? first : nowhere;  // what is beyond the end comes last
  }
};

/// Outputs of up to `Rows` rows: several at once, each by as many threads as have words of it. With `Rows` a strip's,
/// pages: each by a warp, strip by strip.
template <class F, class T, int Rows>
__global__ void __launch_bounds__(32 * direct_warps, 3)
    search_words(const __grid_constant__ outputs_arguments<F, T> a, const __grid_constant__ direct_schedule how) {
  using search = word_search<F, T>;
  using V = typename search::V;
  constexpr bool of_pages = Rows == strip_rows;
  constexpr int M = of_pages ? 1 : 4 / Rows, K = search::K, lanes = search::lanes;
  await_stream();
  const word_fold<F, T> words{a.fold, how};
  const int width = Rows > 1 ? 32 : how.width, groups = 32 / width, group = lane_id() / width;
  const int t = lane_id() & (width - 1);
  const auto warp = std::int64_t{blockIdx.x} * direct_warps + threadIdx.x / 32,
             warps = std::int64_t{gridDim.x} * direct_warps;
  // The best of all threads of a group, and the first of their places.
  const auto best_of_all = [&](V(&best)[M]) {
#pragma unroll 1
    for (int bit = width / 2; bit > 0; bit /= 2)
#pragma unroll
      for (int m = 0; m < M; ++m) best[m] = search::better(best[m], from_xor(best[m], bit));
  };
  const auto first_of_all = [&](int(&place)[M]) {
#pragma unroll 1
    for (int bit = width / 2; bit > 0; bit /= 2)
#pragma unroll
      for (int m = 0; m < M; ++m) place[m] = min(place[m], from_xor(place[m], bit));
  };
  typename search::word x[M][Rows];
#pragma unroll 1
  for (std::int64_t first = warp * M * groups; first < a.outputs * a.pages; first += warps * M * groups) {
    V best[M];
    int place[M];
    std::int64_t output = first, page = 0;
    if constexpr (of_pages) {
      output = a.pages > 1 ? quotient_of(first, a.pages) : first;
      page = first - output * a.pages;
      const int count = a.count(page);
      const T* const p = a.data + a.kept.offset(output) + page * page_elements(sizeof(T));
      int found = 0;  // where the strip begins that has the best
#pragma unroll 1
      for (int begin = 0; begin < count; begin += Rows * lanes) {
        const int n = min(count - begin, Rows * lanes);
        words.load(p + begin, n, x[0]);
        if (how.shifted) words.align(p + begin, n, x[0]);
        V of_strip[M] = {search::best(x[0], n, t)};
        best_of_all(of_strip);
        if (begin > 0 && F::same(search::better(best[0], of_strip[0]), best[0])) continue;
        best[0] = of_strip[0];
        place[0] = search::place(x[0], n, t, best[0]);
        found = begin;
      }
      place[0] = found + __reduce_min_sync(whole_warp, place[0]);
    } else {
      const int n = static_cast<int>(a.n);
      const std::int64_t mine = first + group;
#pragma unroll
      for (int m = 0; m < M; ++m) {
        const std::int64_t i = mine + m * groups;
        const T* const p = a.data + a.kept.offset(min(i, a.outputs - 1));
        if (how.edges) {
          words.load(p, n, x[m]);
        } else {
#pragma unroll
          for (int r = 0; r < Rows; ++r)
            if (r * lanes + K * t < n) x[m][r] = search::word::load(reinterpret_cast<const char*>(p + K * t) + 512 * r);
        }
      }
#pragma unroll
      for (int m = 0; m < M; ++m) {
        if (how.shifted) words.align(a.data + a.kept.offset(min(mine + m * groups, a.outputs - 1)), n, x[m]);
        best[m] = search::best(x[m], n, t);
      }
      best_of_all(best);
#pragma unroll
      for (int m = 0; m < M; ++m) place[m] = search::place(x[m], n, t, best[m]);
      first_of_all(place);
    }
#pragma unroll
    for (int m = 0; m < M; ++m)
      if (t == 0 && output + group + m * groups < a.outputs)
        a.publish(output + group + m * groups, page, {best[m], page * page_elements(sizeof(T)) + place[m]});
  }
  release_stream();
}

/// As launch_pages.
template <class F, class T>
cudaError_t launch_searches(const device_launch& how, const problem& p, outputs_arguments<F, T>& a) {
  using fold = word_fold<F, T>;
  direct_schedule spread{};
  if (!lie_in_words<F, T>(how, p, spread) || (spread.edges && p.n <= 160)) return launch_pages<F, T>(how, p, a);
  const std::int64_t words = (p.n * static_cast<std::int64_t>(sizeof(T)) + 15) / 16;
  spread.width = spread.edges || words > 32 ? 32 : static_cast<int>(std::bit_ceil(static_cast<std::uint64_t>(words)));
  using kernel = void (*)(outputs_arguments<F, T>, direct_schedule);
  const auto start = [&](kernel code, std::int64_t of_warp) {
    return launch(how, blocks_for(a.outputs * a.pages, of_warp * direct_warps, std::int64_t{3} * how.processors),
                  32 * direct_warps, 0, code, a, spread);
  };
  if (p.n <= fold::lanes) return start(search_words<F, T, 1>, 4 * (32 / spread.width));
  if (p.n <= 2 * fold::lanes) return start(search_words<F, T, 2>, 2);
  if (p.n <= 4 * fold::lanes) return start(search_words<F, T, 4>, 1);
  return start(search_words<F, T, strip_rows>, 1);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
