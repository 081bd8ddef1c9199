// Schedule *segments*: each warp copies chunks of neighboring segments into shared memory, one ahead, and folds them
// from there: short ones by a thread or a few, longer ones by all threads, strip by strip.
#pragma once

#include "onefold/detail/cuda/rows.cuh"
#include "onefold/detail/cuda/segment_reader.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// How a warp folds segments of up to a strip from shared memory.
template <class F, class T>
struct segment_fold {
  using fold = tile_fold<F, T>;
  using L = typename fold::L;
  static constexpr int lanes = fold::lanes, held = fold::held;

  /// Whether a lane that is not there can be the identity, and pairs may meet the other way round.
  static constexpr bool is_lenient = of_library<F> && is_symmetric<F, T> && sizeof(L) <= 8;

  /// Segments of up to a row have an element in each lane. A thread takes up to this many elements of one:
  static constexpr int of_thread = lanes < (is_lenient ? 64 : 48) ? lanes : is_lenient ? 64 : 48;
  /// Threads that share a longer segment, as powers of two:
  static constexpr int all_log2 = fold::levels;                 ///< of up to a row
  static constexpr int few_log2 = all_log2 < 2 ? all_log2 : 2;  ///< of up to four threads' elements, or a row
  static constexpr int few = lanes < of_thread << few_log2 ? lanes : of_thread << few_log2;
  /// A thread's elements that are read at a time.
  static constexpr int at_once = sizeof(L) <= 8 ? 8 : sizeof(L) <= 16 ? 4 : 2;
  static constexpr int tree_levels = std::bit_width(static_cast<unsigned>(of_thread / at_once)) - 1;

  const F& f;

  /// An element's state; `i` is its number in its segment.
  __device__ __forceinline__ L state(const storage_t<T>& x, int i) const {
    return end_strip(f, lift_at(f, liftable<F, T>(__builtin_bit_cast(T, x)), i));
  }
  /// s[0] with all of N others, of which s[k] meets s[k + N / 2] first.
  template <int N>
  __device__ __forceinline__ L halved(L* s) const {
    if constexpr (N == 1) {
      return s[0];
    } else {
#pragma unroll
      for (int k = 0; k < N / 2; ++k) s[k] = f.combine(s[k], s[k + N / 2]);
      return halved<N / 2>(s);
    }
  }

  /// The states of a word of 16 bytes.
  struct word_states {
    static constexpr int count = 16 / static_cast<int>(sizeof(T));
    L s[count];
  };
  /// What `read` gives for word K after halving to W of `All` words, depth first, which takes the fewest registers.
  template <int K, int W, int All, class Read>
  __device__ __forceinline__ word_states halved_words(const Read& read) const {
    if constexpr (W == All) {
      return read(K);
    } else {
      word_states left = halved_words<K, 2 * W, All>(read);
      const word_states right = halved_words<K + W, 2 * W, All>(read);
#pragma unroll
      for (int c = 0; c < word_states::count; ++c) left.s[c] = f.combine(left.s[c], right.s[c]);
      return left;
    }
  }

  /// A segment of n elements at p, a multiple of 16 bytes, n <= 8 << Log2, or n <= 48 and Log2 = 2. With Full all
  /// lanes of it are there. Words of 16 bytes are read, by each thread in different order, for segments that begin in
  /// the same banks of shared memory. `most`: the most elements of a thread.
  template <int Log2, bool Full>
  __device__ __forceinline__ L of_words(const T* p, int n, int most) const {
    constexpr int K = word_states::count, count = 8 << Log2 > K ? (8 << Log2) / K : 1;
    constexpr int apart = count < 8 ? std::bit_width(8u / count) - 1 : 0;
    const L none = identity_of<F, lane_value<F, T>>(f);
    const int turned = lane_id() >> apart & (count - 1);
    const auto states = [&](int first) {
      const auto x = *reinterpret_cast<const neighbors<storage_t<T>, K>*>(p + first);
      word_states w;
#pragma unroll
      for (int c = 0; c < K; ++c) w.s[c] = selected(Full || first + c < n, state(x.e[c], first + c), none);
      return w;
    };
    word_states all = halved_words<0, 1, count>([&](int k) {
      const int first = K * (k ^ turned);
      word_states w = states(first);
      if constexpr (Log2 == 2 && !Full)
        if (most > 32) {
          const word_states beyond = states(first + 32);
#pragma unroll
          for (int c = 0; c < K; ++c) w.s[c] = f.combine(w.s[c], beyond.s[c]);
        }
      return w;
    });
    return halved<K>(all.s);
  }

  /// The same, of elements anywhere; n <= 64 with Log2 = 3. Sixteen lanes at once, which wait together.
  template <int Log2>
  __device__ __forceinline__ L of_elements(const T* p, int n, int most) const {
    constexpr int turns = Log2 < 2 ? 1 : 1 << (Log2 - 1), count = (8 << Log2) / turns;
    const L none = identity_of<F, lane_value<F, T>>(f);
    const auto* const elements = reinterpret_cast<const storage_t<T>*>(p);
    L left[2]{}, total{};
#pragma unroll 1
    for (int turn = 0; turn < turns; ++turn) {
      const int first = turns == 4 ? (turn & 1) << 1 | turn >> 1 : turn;  // lanes that meet last are far apart in time
      const auto one = [&](int i) { return selected(first + i < n, state(elements[first + i], first + i), none); };
      L s[count];
#pragma unroll
      for (int k = 0; k < count; ++k) s[k] = one(k * turns);
      if (Log2 == 2 && most > 32) {
#pragma unroll
        for (int k = 0; k < count; ++k) s[k] = f.combine(s[k], one(k * turns + 32));
      }
      total = halved<count>(s);
      if ((turn & 1) == 0) {
        left[0] = total;
      } else {
        total = f.combine(left[0], total);
        if (turn == 1)
          left[1] = total;
        else
          total = f.combine(left[1], total);
      }
    }
    return total;
  }

  /// A segment of n <= of_thread elements at p; those of the warp have at most `most`, at least 1. After the segment
  /// 64 elements may be read.
  template <int Log2>
  __device__ __forceinline__ L of_few(const T* p, int n, int most) const {
    if constexpr (Log2 < 3 && (sizeof(L) << Log2) <= 16) {
      if (__all_sync(whole_warp, reinterpret_cast<std::uintptr_t>(p) % 16 == 0)) {
        if constexpr ((8 << Log2) % word_states::count == 0)
          if (__all_sync(whole_warp, n == 8 << Log2)) return of_words<Log2, true>(p, n, most);
        return of_words<Log2, false>(p, n, most);
      }
    }
    return of_elements<Log2>(p, n, most);
  }

  /// The lanes q, q + G, q + 2 G, ... of a segment whose element q is at p, where G = 2^width_log2: `mine` of them, of
  /// which the warp's threads have at most `most`, at least 1. With none: a state that is not looked at. After the
  /// segment a row may be read.
  __device__ __forceinline__ L of_lanes(const T* p, int mine, int most, int q, int width_log2) const {
    if (!of_library<F> && mine <= 0) return L{};  // a user's operation sees only elements
    // Turns for the greatest power of two of lanes; each of the lanes beyond meets one of them first.
    const int turns_log2 = most < 2 * at_once ? 0 : 31 - __clz(most / at_once), far = at_once << turns_log2;
    const auto lane_of = [&](int turn) {  // bits reversed: lanes that meet last are far apart in time
      return static_cast<int>(__brev(static_cast<unsigned>(turn)) >> 1 >> (31 - turns_log2));
    };
    // Threads take the lanes of a turn in different order, each as its pairs meet in the end: segments of 32 elements
    // begin in the same bank of shared memory.
    const int turned = lane_id() >> 2 & (at_once - 1);
    int lane[at_once];
#pragma unroll
    for (int k = 0; k < at_once; ++k) lane[k] = (k ^ turned) << turns_log2;
    L left[tree_levels + 1], total{};
#pragma unroll 1
    for (int turn = 0; turn < 1 << turns_log2; ++turn) {
      const int first = lane_of(turn), there = (mine - first + (1 << turns_log2) - 1) >> turns_log2;
      const T* const from = p + (first << width_log2);
      L s[at_once];
#pragma unroll
      for (int k = 0; k < at_once; ++k) {
        const int i = of_library<F> || (k ^ turned) < there ? lane[k] : -first;
        s[k] = end_strip(f, lift_at(f, liftable<F, T>(from[i << width_log2]), q + ((first + i) << width_log2)));
      }
      if (first + far < most) {
#pragma unroll
        for (int k = 0; k < at_once; ++k) {
          const bool is_there = first + lane[k] + far < mine;
          const int i = is_there ? lane[k] + far : -first;
          const L beyond =
              end_strip(f, lift_at(f, liftable<F, T>(from[i << width_log2]), q + ((first + i) << width_log2)));
          s[k] = selected(is_there, f.combine(s[k], beyond), s[k]);
        }
      }
#pragma unroll
      for (int half = at_once / 2; half > 0; half /= 2)
#pragma unroll
        for (int k = 0; k < half; ++k)
          s[k] = joined_as<T>(f, s[k], s[k + half], turned & half, ((k ^ turned) & (half - 1)) + half < there);
      total = s[0];
#pragma unroll
      for (int l = 0; l < tree_levels; ++l) {  // as the carry of a counter: no `break`, which would keep it a loop
        if ((turn & ((1 << l) - 1)) != (1 << l) - 1) continue;
        if ((turn >> l & 1) == 0)
          left[l] = total;
        else
          total = selected(lane_of(turn >> l << l) < mine, f.combine(left[l], total), left[l]);
      }
    }
    return total;
  }

  /// The segments of threads with `there`, n elements at x[place], each shared by 2^width_log2 threads: their states to
  /// `mine`. `list`: memory of the warp for 32 numbers.
  __device__ __forceinline__ void shared_out(const T* x, bool there, int place, int n, int width_log2,
                                             std::uint32_t* list, L& mine) const {
    const unsigned those = __ballot_sync(whole_warp, there);
    if (those == 0) return;
    const int rank = __popc(those & ((1u << lane_id()) - 1)), all = __popc(those);
    if (there) list[rank] = static_cast<std::uint32_t>(place) << 16 | static_cast<std::uint32_t>(n);
    __syncwarp();
    const int in_pass = 32 >> width_log2, q = lane_id() & ((1 << width_log2) - 1);
#pragma unroll 1
    for (int pass = 0; pass < all; pass += in_pass) {
      const std::uint32_t packed = list[min(pass + (lane_id() >> width_log2), all - 1)];
      const int count = (static_cast<int>(packed & 0xffff) - q + (1 << width_log2) - 1) >> width_log2;
      L s = of_lanes(x + (packed >> 16) + q, count, warp_max(count), q, width_log2);
#pragma unroll 1
      for (int bit = 1 << width_log2 >> 1; bit > 0; bit /= 2) s = meet<T>(f, s, from_xor(s, bit), bit, true);
      const L its = from_lane(s, (rank - pass) << width_log2 & 31);
      mine = selected(there && rank >= pass && rank < pass + in_pass, its, mine);
    }
    __syncwarp();
  }

  /// This thread's lanes of a strip of n elements, of which the first has number `index` in its output. The lanes are
  /// t, t + 32, ..., the first `present` of the strip.
  __device__ __forceinline__ void strip(const T* p, int n, std::int64_t index, L (&s)[held]) const {
    const int t = lane_id();
#pragma unroll
    for (int k = 0; k < held; ++k) {
      const int i = of_library<F> || t + 32 * k < n ? t + 32 * k : 0;
      s[k] = lift_at(f, liftable<F, T>(p[i]), index + i);
    }
#pragma unroll 1
    for (int i = t + lanes; i < n + t; i += lanes)
#pragma unroll
      for (int k = 0; k < held; ++k)
        if (i + 32 * k < n) s[k] = push_at(f, s[k], liftable<F, T>(p[i + 32 * k]), index + i + 32 * k);
#pragma unroll
    for (int k = 0; k < held; ++k) s[k] = end_strip(f, s[k]);
  }
  /// The total of lanes, of which `present` are there, in each thread.
  __device__ __forceinline__ L total(L (&s)[held], int present) const {
    const int t = lane_id();
#pragma unroll
    for (int half = held / 2; half > 0; half /= 2)
#pragma unroll
      for (int k = 0; k < half; ++k) s[k] = selected(t + 32 * (k + half) < present, f.combine(s[k], s[k + half]), s[k]);
    L all = s[0];
#pragma unroll
    for (int bit = 16; bit > 0; bit /= 2)
      all = meet<T>(f, all, from_xor(all, bit), bit, (t & (bit - 1)) + bit < present);
    return all;
  }

  /// The state of a segment of n elements at p, n <= of_thread; those of the warp have at most `most`, at least 1.
  __device__ __forceinline__ L by_threads(const T* p, int n, int most) const {
    if constexpr (!is_lenient)
      return of_lanes(p, n, most, 0, 0);
    else if (most <= 8)
      return of_few<0>(p, n, most);
    else if (most <= 16)
      return of_few<1>(p, n, most);
    else if (most <= 48)
      return of_few<2>(p, n, most);
    else
      return of_few<3>(p, n, most);
  }

  /// The state of this thread's segment of n elements, of up to a strip, at x[place]; of those without elements one
  /// that is not looked at.
  __device__ __forceinline__ L batch(const T* x, int place, int n, std::uint32_t* list) const {
    const int longest = warp_max(n);
    if (longest <= 0) return L{};
    if (longest <= of_thread) return by_threads(x + place, n, longest);
    const int own = n <= of_thread ? n : 0, most = warp_max(own);
    L mine{};
    if (most > 0) mine = by_threads(x + place, own, most);
    if constexpr (few_log2 > 0) shared_out(x, n > of_thread && n <= few, place, n, few_log2, list, mine);
    if constexpr (all_log2 > few_log2) shared_out(x, n > few && n <= lanes, place, n, all_log2, list, mine);
#pragma unroll 1
    for (unsigned those = __ballot_sync(whole_warp, n > lanes); those != 0; those &= those - 1) {
      const int owner = __ffs(static_cast<int>(those)) - 1;
      L s[held];
      strip(x + __shfl_sync(whole_warp, place, owner), __shfl_sync(whole_warp, n, owner), 0, s);
      const L its = total(s, lanes);
      mine = selected(lane_id() == owner, its, mine);
    }
    return mine;
  }

 private:
  __device__ static int warp_max(int x) {
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(whole_warp, x);
#else
#pragma unroll
    for (int bit = 16; bit > 0; bit /= 2) x = max(x, __shfl_xor_sync(whole_warp, x, bit));
    return x;
#endif
  }
};

/// Warps of a block that folds segments, each on its own.
inline constexpr int segment_warps = 4;
/// Bytes of shared memory of such a warp: two chunks, and what it needs to know of the next ones.
template <class F, class T>
inline constexpr int segment_memory = 2 * segment_reader<F, T>::buffer + static_cast<int>(sizeof(segment_prospect));

/// Such blocks of a multiprocessor: where registers are spilled, all waits for memory.
template <class F, class T>
inline constexpr int segment_blocks = sizeof(lane_state<F, T>) > 16 ? 3 : 4;

template <class F, class T>
__global__ void __launch_bounds__(32 * segment_warps, segment_blocks<F, T>)
    fold_segments(const __grid_constant__ outputs_arguments<F, T> a) {
  using segment = segment_fold<F, T>;
  using reader = segment_reader<F, T>;
  using L = typename segment::L;
  using S = tree_state<F, T>;
  constexpr int held = segment::held;
  ONEFOLD_DYNAMIC_MEMORY(memory);
  __shared__ std::uint32_t lists[segment_warps][32];
  const int warp = static_cast<int>(threadIdx.x / 32);
  await_stream();
  const segment part{a.fold};
  char* const buffers = reinterpret_cast<char*>(memory) + warp * segment_memory<F, T>;
  reader from(a, *reinterpret_cast<segment_prospect*>(buffers + 2 * reader::buffer),
              std::int64_t{blockIdx.x} * segment_warps + warp, std::int64_t{gridDim.x} * segment_warps);
  end_copies();
  end_copies();

  // A chunk is folded while the next one is on its way.
  segment_chunk now{}, next{};
  int skip = 0, next_skip = 0, side = 0;
  L first[held], other[held];  // of the page that is under way: strips 0 and 1, and 2 and 3
#pragma unroll
  for (int k = 0; k < held; ++k) first[k] = other[k] = L{};
#pragma unroll 1
  for (bool begun = false;; begun = true) {
    await_copies<1>();  // what comes after the chunk `next` is known; its elements may be on their way still
    __syncwarp();       // and no lane reads the chunk before any more
    now = next;
    skip = next_skip;
    side ^= 1;
    std::int64_t at = 0;
    next = from.advance(at, side ^ 1);
    end_copies();
    char* const buffer = buffers + (side ^ 1) * reader::buffer;
    next_skip = from.start(at, next.elements, shared_place(buffer));
    end_copies();
    if (!begun) continue;
    if (now.elements < 0) break;
    await_copies<2>();
    __syncwarp();
    const T* const x = reinterpret_cast<const T*>(buffers + side * reader::buffer) + skip;
    if (now.segments > 0) {
      const std::uint16_t* const past = from.ahead.past[side];
      char* to = static_cast<char*>(a.result(now.segment + lane_id()));
#pragma unroll 1
      for (int group = 0; group < now.segments; group += 32, to += 32 * a.distance) {
        const int i = group + lane_id();
        const bool there = i < now.segments;
        const int place = there ? past[i] : 0, n = there ? max(past[i + 1] - place, 0) : 0;
        const L s = part.batch(x, place, n, lists[warp]);
        if (there) a.finish_at(to, n, selected(n > 0, to_tree<F, T>(a.fold, s), empty_state<F, T>(a.fold)));
      }
      continue;
    }
    const int n = now.of_page - now.strip * reader::most;
    L s[held];
    part.strip(x, min(n, reader::most), now.later * reader::page + now.strip * reader::most, s);
#pragma unroll
    for (int k = 0; k < held; ++k) {
      const L pair = selected(now.strip < 2, first[k], other[k]);
      if (now.strip & 1) s[k] = selected(lane_id() + 32 * k < n, a.fold.combine(pair, s[k]), pair);
      first[k] = selected(now.strip < 2, s[k], first[k]);
      other[k] = selected(now.strip < 2, other[k], s[k]);
    }
    if (n > reader::most) continue;
    if (now.of_page > 2 * reader::most) {
#pragma unroll
      for (int k = 0; k < held; ++k)
        first[k] =
            selected(lane_id() + 32 * k + 2 * reader::most < now.of_page, a.fold.combine(first[k], other[k]), first[k]);
    }
    const S page = to_tree<F, T>(a.fold, part.total(first, min(now.of_page, segment::lanes)));
    if (lane_id() != 0) continue;
    if (now.is_whole)
      a.finish(now.segment, now.of_page, page);
    else
      a.page_state(now.tile, now.later > 0) = page;
  }
  release_stream();
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
