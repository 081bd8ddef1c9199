// Schedule *segments*: each block copies tiles of neighbouring segments into shared memory and folds from there; warps
// take the short ones, all of the block pages and what is nearly as long.
#pragma once

#include "onefold/detail/cuda/rows.cuh"
#include "onefold/detail/cuda/segment_tiles.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// How segments of up to a strip are folded from shared memory by a warp. What is read beyond the end of one, up to the
/// tile's last element, is not looked at.
template <class F, class T>
struct segment_fold {
  using fold = tile_fold<F, T>;
  using L = typename fold::L;
  static constexpr int lanes = fold::lanes, held = fold::held;
  static constexpr int most = strip_rows * lanes;  ///< elements

  /// Segments that a thread folds at once: 2^at_once_log2.
  static constexpr int at_once_log2 = sizeof(L) <= 8 ? 2 : 0;
  static constexpr int at_once = 1 << at_once_log2;

  const fold& folds;

  /// The block's dynamic shared memory, where the elements are.
  __device__ static const T* elements() {
    extern __shared__ uint4 memory[];
    return reinterpret_cast<const T*>(memory);
  }

  /// This thread's part of a segment of n > 32 elements, which a warp folds. Not inlined: once for all that are folded
  /// at once.
  __device__ __noinline__ L share(int place, int n, int last) const {
    const F& f = folds.f;
    const T* const p = elements() + place;
    const int t = lane_id();
    L s[held];
#pragma unroll
    for (int k = 0; k < held; ++k)
      s[k] = lift_at(f, liftable<F, T>(elements()[min(place + t + 32 * k, last)]), t + 32 * k);
#pragma unroll 1
    for (int i = t + lanes; i < n + t; i += lanes)
#pragma unroll
      for (int k = 0; k < held; ++k)
        if (i + 32 * k < n) s[k] = push_at(f, s[k], liftable<F, T>(p[i + 32 * k]), i + 32 * k);
#pragma unroll
    for (int k = 0; k < held; ++k) s[k] = end_strip(f, s[k]);
#pragma unroll
    for (int half = held / 2; half > 0; half /= 2)
#pragma unroll
      for (int k = 0; k < half; ++k)
        if (t + 32 * (k + half) < n) s[k] = f.combine(s[k], s[k + half]);
    return s[0];
  }

  /// As tile_fold::halve, where each thread has its own output first, then those that it gives away; n[c] is how many
  /// elements output c has.
  template <int Held>
  __device__ __forceinline__ L halve(const L (&s)[Held], const int (&n)[at_once], int width) const {
    if constexpr (Held == 1) {
      L t = s[0];
#pragma unroll
      for (int i = 1; i < 6 - at_once_log2; ++i) {
        const int bit = width >> i;
        if (bit == 0) break;
        t = meet<T>(folds.f, t, from_xor(t, bit), bit, (lane_id() & (bit - 1)) + bit < n[0]);
      }
      return t;
    } else {
      constexpr int half = Held / 2;
      const int w = width / 2, above = (lane_id() & (w - 1)) + w;
      L t[half];
#pragma unroll
      for (int c = 0; c < half; ++c) t[c] = meet<T>(folds.f, s[c], from_xor(s[half + c], w), w, above < n[c]);
      return halve<half>(t, n, w);
    }
  }

  /// The state of segment `lane` of up to 32, in each thread: `place` is where it begins, n how long it is;
  /// `last` is the place of the tile's last element.
  __device__ __forceinline__ L batch(int place, int n, int present, int last) const {
    const F& f = folds.f;
    const std::uint32_t packed = static_cast<std::uint32_t>(place) << 16 | static_cast<std::uint32_t>(n);
    const auto largest = static_cast<int>(warp_max(static_cast<unsigned>(n)));
    // Threads of a segment, its groups in a warp, and threads that end with the same segment, as powers of two.
    const int width_log2 = largest <= 4 ? 2 : min(32 - __clz(largest - 1), 5), width = 1 << width_log2;
    const int groups_log2 = 5 - width_log2, spare_log2 = width_log2 - at_once_log2;
    const int lane = lane_id(), group = lane >> width_log2, t = lane & (width - 1), own = t >> spare_log2;
    const int in_pass = at_once << groups_log2, wanted = lane & (in_pass - 1);  // this thread's among those of a pass
    const int from = (wanted & ((1 << groups_log2) - 1)) << width_log2 | wanted >> groups_log2 << spare_log2;
    L mine = lift_at(f, liftable<F, T>(elements()[min(place, last)]), 0);
#pragma unroll 1
    for (int pass = 0; pass < present; pass += in_pass) {
      L s[at_once];
      int begins[at_once], count[at_once];
#pragma unroll
      for (int m = 0; m < at_once; ++m) {
        const std::uint32_t p = __shfl_sync(whole_warp, packed, pass + ((m ^ own) << groups_log2) + group);
        begins[m] = static_cast<int>(p >> 16);
        count[m] = static_cast<int>(p & 0xffff);
        s[m] = end_strip(f, lift_at(f, liftable<F, T>(elements()[min(begins[m] + t, last)]), t));
      }
      if (largest > 32) {
#pragma unroll
        for (int m = 0; m < at_once; ++m)
          if (count[m] > 32) s[m] = share(begins[m], count[m], last);
      }
      const L total = from_lane(halve<at_once>(s, count, width), from);
      mine = selected(lane - wanted == pass, total, mine);
    }
    return mine;
  }

 private:
  __device__ static unsigned warp_max(unsigned x) {
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(whole_warp, x);
#else
#pragma unroll
    for (int bit = 16; bit > 0; bit /= 2) x = max(x, __shfl_xor_sync(whole_warp, x, bit));
    return x;
#endif
  }
};

/// Bytes of shared memory for elements: those of two tiles of a page each, or of any one.
inline constexpr int segment_window = 2 * tiling::tile_bytes + 64;

/// The elements of a tile, on their way into shared memory.
template <class F, class T>
struct segment_elements {
  static constexpr int size = static_cast<int>(sizeof(T));
  const T* first;
  int count;
  int place, bytes;  ///< where they are in shared memory, with what lies between them and multiples of 16 bytes

  __device__ segment_elements(const T* data, const segment_tile& t) : first(data + t.first), count(t.count), place(0) {
    bytes = (tile_reader<F, T>::beyond(first) + count * size + 15) & ~15;
  }
  /// Finds room beside others; false if there is none.
  __device__ bool fit_beside(const segment_elements& others) {
    place = others.place + others.bytes + bytes <= segment_window ? others.place + others.bytes : 0;
    return place > 0 || bytes <= others.place;
  }
  __device__ void start() const {
    const auto memory = static_cast<std::uint32_t>(__cvta_generic_to_shared(segment_fold<F, T>::elements()));
    if (count > 0) tile_reader<F, T>::copy(memory + static_cast<std::uint32_t>(place), first, count * size);
  }
  /// Where the first one is, in elements.
  __device__ int begin() const { return (place + tile_reader<F, T>::beyond(first)) / size; }
};

template <class F, class T>
__global__ void __launch_bounds__(32 * tile_warps, 6) fold_segments(const __grid_constant__ outputs_arguments<F, T> a) {
  using segment = segment_fold<F, T>;
  using fold = tile_fold<F, T>;
  using L = typename fold::L;
  using S = tree_state<F, T>;
  constexpr int page_size = static_cast<int>(page_elements(sizeof(T)));
  /// A whole segment that is longer than a strip.
  struct long_segment {
    std::int64_t segment;
    int place, n;
  };
  __shared__ alignas(L) unsigned char meeting_memory[2 * tile_warps * 32 * sizeof(L)];
  __shared__ long_segment longer[2 * page_size / segment::most + 1];
  __shared__ int longer_count;
  auto& meeting = *reinterpret_cast<L(*)[2][tile_warps][32]>(meeting_memory);
  const int warp = static_cast<int>(threadIdx.x / 32);
  const fold folds{a.fold};
  const segment part{folds};
  int side = 0;  // of `meeting`: while a warp looks at one, the others write to the other

  await_stream();
  const segment_table& table = a.segments;
  const std::int64_t all = table.count(a.outputs, page_size), each = all / gridDim.x, more = all - each * gridDim.x;
  const std::int64_t block = blockIdx.x;
  std::int64_t tile = each * block + min(block, more);
  const std::int64_t past = tile + each + (block < more ? 1 : 0);
  if (tile >= past) return release_stream();
  segment_tile now = table.tiles[tile], next = table.tiles[min(tile + 1, past - 1)];
  segment_elements<F, T> here(a.data, now);
  here.start();
  if (threadIdx.x == 0) longer_count = 0;
#pragma unroll 1
  for (; tile < past; ++tile) {
    end_copies();
    await_copies<0>();
    __syncthreads();
    const segment_tile after = table.tiles[min(tile + 2, past - 1)];  // on its way while the block folds
    segment_elements<F, T> coming(a.data, next);
    const bool early = coming.fit_beside(here) && tile + 1 < past;
    if (early) coming.start();
    const int begin = here.begin();

    // Whole segments, up to 32 to each warp at a time.
    const int of_warp = min((now.whole + tile_warps - 1) / tile_warps, 32);
#pragma unroll 1
    for (int batch = of_warp * warp; batch < now.whole; batch += of_warp * tile_warps) {
      const int present = min(now.whole - batch, of_warp);
      const std::int64_t mine = now.segment + batch + min(lane_id(), present - 1), at = table[mine];
      const auto n = static_cast<int>(table[mine + 1] - at);
      const int place = begin + static_cast<int>(at - now.first);
      const bool is_long = n > segment::most;
      const L s = part.batch(place, is_long ? 0 : n, present, begin + max(now.count, 1) - 1);
      if (lane_id() >= present) continue;
      if (is_long)
        longer[atomicAdd(&longer_count, 1)] = {mine, place, n};
      else
        a.finish(mine, n, selected(n > 0, to_tree<F, T>(a.fold, s), empty_state<F, T>(a.fold)));
    }
    // By all of the block: a later page of a segment, those that are longer than a strip, the first page of another.
    if (now.count > segment::most || now.later > 0) {
      __syncthreads();
      const int found = longer_count;
#pragma unroll 1
      for (int i = now.later > 0 ? -1 : 0; i < found + now.begins; ++i) {
        const bool is_whole = i >= 0 && i < found;
        const int n = i < 0 ? now.of_later : is_whole ? longer[i].n : page_size;
        const int place = i < 0 ? begin : is_whole ? longer[i].place : begin + now.count - page_size;
        const std::int64_t index = i < 0 ? now.later * page_size : 0;
        const T* const p = segment::elements() + place;
        if (n == page_size)
          meeting[side][warp][lane_id()] = folds.template share<true>(p, n, index, warp);
        else
          meeting[side][warp][lane_id()] = folds.template share<false>(p, n, index, warp);
        __syncthreads();
        if (warp == 0) {
          const S s = to_tree<F, T>(a.fold, folds.joined(meeting[side], n));
          if (lane_id() == 0 && is_whole) a.finish(longer[i].segment, n, s);
          if (lane_id() == 0 && !is_whole) a.page_state(tile, i < 0) = s;
        }
        side ^= 1;
      }
    }
    __syncthreads();  // the memory is free
    if (threadIdx.x == 0) longer_count = 0;
    if (!early && tile + 1 < past) {
      coming.place = 0;
      coming.start();
    }
    here = coming;
    now = next;
    next = after;
  }
  release_stream();
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
