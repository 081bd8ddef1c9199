// Runs of equal keys in device memory: where they begin, and the first key of each.
//
// Three kernels, in which no block waits for another: `mark_heads` reads the keys and leaves a bit for each that begins
// a run, and how many each warp has found; `add_up_groups` adds those of 1024 warps up; `write_runs` writes where the
// runs are. For 2^26 keys of 4 bytes (H200) `mark_heads` takes 73 us, and 141 if it adds up itself, by atomics; a
// kernel whose blocks look back at those before them (Merrill & Garland 2016), which does all of it, took 205.
#pragma once

#include <algorithm>

#include "keys.hpp"
#include "onefold/detail/cuda/words.cuh"

namespace onefold::cuda {
namespace {

using detail::lane_id;
using detail::whole_warp;

template <class Word>
__device__ Word rank_of(Word key, const bit_layout& by) {
  const auto sign = static_cast<Word>(by.sign);
  if (by.infinity == 0) return key ^ sign;
  return static_cast<Word>(key > sign ? ~key : key | sign);  // -0.0 as 0.0
}

template <class Word>
__device__ bool is_nan(Word key, const bit_layout& by) {
  return by.infinity != 0 && (key & ~by.sign) > by.infinity;
}

constexpr int block_threads = 256, block_warps = block_threads / 32;
constexpr int rows = 4;            ///< of 512 bytes that a warp reads at once
constexpr int group_warps = 1024;  ///< whose heads are added up together

/// Keys in 16-byte words. A tile is what a block has; a bit of a *mark* is a thread's key number c of a row.
template <class Word>
struct key_words {
  static constexpr int K = 16 / static_cast<int>(sizeof(Word));  ///< keys of a word
  static constexpr int marks = rows * K;                         ///< of a warp
  static constexpr std::int64_t of_warp = 32 * marks, tile = of_warp * block_warps;

  const Word* keys;
  std::int64_t n;
  int before;           ///< how many keys the first word has room for before the first one
  std::uint32_t* bits;  ///< the marks, warp by warp
  unsigned* of_warps;   ///< how many heads each warp has
  unsigned* of_groups;  ///< and each group of warps

  /// That mark heads.
  __host__ __device__ unsigned blocks() const { return static_cast<unsigned>((before + n + tile - 1) / tile); }
  __device__ std::int64_t warp() const {
    return std::int64_t{blockIdx.x} * block_warps + static_cast<int>(threadIdx.x / 32);
  }
  /// The number of this thread's first key in a row of a warp's; it may be below 0 or beyond the end.
  __device__ std::int64_t place(std::int64_t of, int row) const {
    return of * of_warp - before + row * 32 * K + lane_id() * K;
  }
  __device__ std::int64_t place(int row) const { return place(warp(), row); }
};

/// Blocks of a multiprocessor: as many as its registers have room for.
template <class Word, bool Examines>
constexpr int resident_blocks = sizeof(Word) < 4 ? (Examines ? 3 : 4) : (Examines ? 4 : 8);

/// What a thread has found in its keys, besides heads.
template <class Word>
struct examination {
  Word differing = 0;
  bool descends = false;
  std::int64_t nan = 0;  ///< how many keys follow the first NaN, with it; 0: there is none
};

/// Reads the keys of a warp: mine[m / 32] of thread m % 32 is mark m. Inside: all of them are there, and one before
/// them.
template <class Word, bool Examines, bool Inside>
__device__ __forceinline__ void mark_keys(const key_words<Word>& a, const bit_layout& by, unsigned* mine,
                                          examination<Word>& seen) {
  constexpr int K = key_words<Word>::K;
  union word {
    uint4 whole;
    Word key[K];
  } x[rows];
  const Word* const first = a.keys + a.place(0);
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const std::int64_t i = a.place(r);
    if (Inside || (i >= 0 && i + K <= a.n)) {
      x[r].whole = __ldcs(reinterpret_cast<const uint4*>(first + r * 32 * K));
    } else {
#pragma unroll
      for (int c = 0; c < K; ++c) x[r].key[c] = i + c >= 0 && i + c < a.n ? a.keys[i + c] : Word{0};
    }
  }
  // The key before the warp's: of its first thread.
  Word last = 0;
  if (lane_id() == 0 && (Inside || (a.place(0) > 0 && a.place(0) <= a.n))) last = first[-1];
  const Word lowest = Examines ? rank_of(a.keys[0], by) : Word{0};
  const auto magnitude = static_cast<Word>(by.infinity != 0 ? ~by.sign : ~decltype(by.sign){0});
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const std::int64_t i = a.place(r);
    const Word of_left = __shfl_sync(whole_warp, x[r].key[K - 1], (lane_id() + 31) & 31);
    Word before = lane_id() == 0 ? last : of_left;
    last = of_left;  // the first thread's is that of the last one
#pragma unroll
    for (int c = 0; c < K; ++c) {
      const Word key = x[r].key[c];
      const bool there = Inside || (i + c >= 0 && i + c < a.n), is_first = !Inside && i + c == 0;
      // Zeros of either sign are one key.
      const bool differs = key != before && static_cast<Word>((key | before) & magnitude) != 0;
      const unsigned those = __ballot_sync(whole_warp, there && (is_first || differs));
      if (lane_id() == (r * K + c) % 32) mine[(r * K + c) / 32] = those;
      if (Examines && there) {
        const Word rank = rank_of(key, by);
        seen.descends |= !is_first && rank < rank_of(before, by);
        seen.differing |= static_cast<Word>(rank ^ lowest);
        if (is_nan(key, by)) seen.nan = max(seen.nan, a.n - i - c);
      }
      before = key;
    }
  }
}

/// Marks the keys that begin a run, and counts them. Examines: also looks for NaN, and how the keys are ordered.
template <class Word, bool Examines>
__global__ void __launch_bounds__(block_threads, resident_blocks<Word, Examines>)
    mark_heads(const __grid_constant__ key_words<Word> a, bit_layout by, findings* found) {
  constexpr int marks = key_words<Word>::marks;
  unsigned mine[(marks + 31) / 32];
  examination<Word> seen;
  const std::int64_t first = a.warp() * a.of_warp - a.before;
  if (first > 0 && first + a.of_warp <= a.n) [[likely]]
    mark_keys<Word, Examines, true>(a, by, mine, seen);
  else
    mark_keys<Word, Examines, false>(a, by, mine, seen);
  unsigned count = 0;
#pragma unroll
  for (int m = 0; m < marks; m += 32)
    if (m + lane_id() < marks) {
      a.bits[a.warp() * marks + m + lane_id()] = mine[m / 32];
      count += static_cast<unsigned>(__popc(mine[m / 32]));
    }
  count = __reduce_add_sync(whole_warp, count);
  if (lane_id() == 0) a.of_warps[a.warp()] = count;
  if constexpr (Examines) {
    if (seen.nan > 0) atomicMax(&found->from_nan, static_cast<unsigned long long>(seen.nan));
    const bool descends = __any_sync(whole_warp, seen.descends);
    unsigned long long all = seen.differing;
#pragma unroll
    for (int bit = 16; bit > 0; bit /= 2) all |= __shfl_xor_sync(whole_warp, all, bit);
    if (lane_id() != 0) return;
    if (all != 0) atomicOr(&found->differing, all);
    if (descends) atomicOr(&found->descends, 1u);
  }
}

/// How many heads the warps of a group have: of each whole group, by a block.
__global__ void __launch_bounds__(block_threads) add_up_groups(const unsigned* of_warps, unsigned* of_groups) {
  __shared__ unsigned of_block[block_warps];
  const unsigned* const mine = of_warps + std::int64_t{blockIdx.x} * group_warps + threadIdx.x;
  unsigned sum = 0;
#pragma unroll
  for (int i = 0; i < group_warps; i += block_threads) sum += mine[i];
  sum = __reduce_add_sync(whole_warp, sum);
  if (lane_id() == 0) of_block[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= block_warps) return;
  sum = of_block[threadIdx.x];
#pragma unroll
  for (int bit = block_warps / 2; bit > 0; bit /= 2) sum += __shfl_xor_sync((1u << block_warps) - 1, sum, bit);
  if (threadIdx.x == 0) of_groups[blockIdx.x] = sum;
}

/// Where runs go.
template <class Word, class Offset>
struct run_destinations {
  findings* found;
  Offset* offsets;      ///< of the runs, and the end
  Word* firsts;         ///< the first key of each run
  std::int64_t room;    ///< for that many
  std::int64_t* count;  ///< null, or where the number of runs goes, too
};

/// What a warp of write_runs writes: the heads that as many warps have marked. A block begins by adding up what is
/// before it, which is not worth it for less.
constexpr int marked_by = 8, block_marked_by = marked_by * block_warps;

/// Writes where the runs begin, and their keys.
template <class Word, class Offset>
__global__ void __launch_bounds__(block_threads)
    write_runs(const __grid_constant__ key_words<Word> a, const __grid_constant__ run_destinations<Word, Offset> to) {
  constexpr int K = key_words<Word>::K, marks = key_words<Word>::marks;
  // How many heads are before this block: those of the groups before its own, and of the warps before it in that.
  __shared__ unsigned long long heads_before;
  if (threadIdx.x == 0) heads_before = 0;
  __syncthreads();
  const std::int64_t warps = std::int64_t{a.blocks()} * block_warps;
  const std::int64_t first_warp = std::int64_t{blockIdx.x} * block_marked_by, group = first_warp / group_warps;
  unsigned long long sum = 0;
#pragma unroll 1
  for (std::int64_t g = threadIdx.x; g < group; g += block_threads) sum += a.of_groups[g];
#pragma unroll
  for (int i = 0; i < group_warps / block_threads; ++i) {
    const std::int64_t w = group * group_warps + i * block_threads + threadIdx.x;
    if (w < first_warp) sum += a.of_warps[w];
  }
#pragma unroll
  for (int bit = 16; bit > 0; bit /= 2) sum += __shfl_xor_sync(whole_warp, sum, bit);
  if (lane_id() == 0 && sum > 0) atomicAdd(&heads_before, sum);
  __syncthreads();
  unsigned before_warp = 0, of_block = 0;
  const int own = static_cast<int>(threadIdx.x / 32) * marked_by;
#pragma unroll
  for (int i = 0; i < block_marked_by; i += 32) {
    const int w = i + lane_id();
    const unsigned heads = first_warp + w < warps ? a.of_warps[first_warp + w] : 0;
    before_warp += w < own ? heads : 0;
    of_block += heads;
  }
  std::int64_t at = static_cast<std::int64_t>(heads_before) + __reduce_add_sync(whole_warp, before_warp);
  of_block = __reduce_add_sync(whole_warp, of_block);
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) {
    const std::int64_t count = static_cast<std::int64_t>(heads_before) + of_block;
    to.offsets[count] = static_cast<Offset>(a.n);
    to.found->count = count;
    if (to.count) *to.count = count;
  }
  const unsigned below = (1u << lane_id()) - 1;
#pragma unroll 1
  for (int i = 0; i < marked_by && first_warp + own + i < warps; ++i) {
    const std::int64_t warp = first_warp + own + i;
    unsigned mine[(marks + 31) / 32], any = 0;
#pragma unroll
    for (int m = 0; m < marks; m += 32) {
      mine[m / 32] = m + lane_id() < marks ? a.bits[warp * marks + m + lane_id()] : 0;
      any |= mine[m / 32];
    }
    if (!__any_sync(whole_warp, any != 0)) continue;
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      unsigned those[K];
      std::int64_t place = at;
#pragma unroll
      for (int c = 0; c < K; ++c) {
        those[c] = __shfl_sync(whole_warp, mine[(r * K + c) / 32], (r * K + c) % 32);
        place += __popc(those[c] & below);
        at += __popc(those[c]);
      }
#pragma unroll
      for (int c = 0; c < K; ++c)
        if (those[c] >> lane_id() & 1) {
          const std::int64_t k = a.place(warp, r) + c;
          to.offsets[place] = static_cast<Offset>(k);
          if (place < to.room) to.firsts[place] = a.keys[k];
          ++place;
        }
    }
  }
}

}  // namespace
}  // namespace onefold::cuda
