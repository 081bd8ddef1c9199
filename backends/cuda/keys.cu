// Groups of elements with equal keys: keys are ranked, sorted where they do not ascend, and cut where they change.
#include "keys.hpp"

#include <algorithm>
#include <cub/device/device_radix_sort.cuh>

#include "errors.hpp"
#include "onefold/detail/cuda/words.cuh"

namespace onefold::cuda {
namespace {

using detail::lane_id;
using detail::whole_warp;

// Sorted with a key goes the number of its element, in 32 bits. More keys would take 100 GiB to sort.
constexpr std::int64_t most_sorted = std::int64_t{1} << 32;

ranking ranking_of(dtype keys) {
  switch (keys) {
    case dtype::f32:
      return {0x8000'0000u, 0x7f80'0000u};
    case dtype::f64:
      return {std::uint64_t{1} << 63, 0x7ff0'0000'0000'0000u};
    case dtype::f16:
      return {0x8000u, 0x7c00u};
    case dtype::bf16:
      return {0x8000u, 0x7f80u};
    case dtype::i8:
    case dtype::i16:
    case dtype::i32:
    case dtype::i64:
      return {std::uint64_t{1} << (8 * size_of(keys) - 1), 0};
    default:
      return {0, 0};
  }
}

template <class Word>
__device__ Word rank_of(Word key, const ranking& by) {
  const auto sign = static_cast<Word>(by.sign);
  if (by.infinity == 0) return key ^ sign;
  return static_cast<Word>(key > sign ? ~key : key | sign);  // -0.0 as 0.0
}

template <class Word>
__device__ bool is_nan(Word key, const ranking& by) {
  return by.infinity != 0 && (key & ~by.sign) > by.infinity;
}

// ---- runs of equal keys ------------------------------------------------------------------------------------
//
// Three kernels, in which no block waits for another: `mark_heads` reads the keys and leaves a bit for each that begins
// a run, and how many each warp has found; `add_up_groups` adds those of 1024 warps up; `write_runs` writes where the
// runs are. For 2^26 keys of 4 bytes (H200) `mark_heads` takes 77 us, and 141 if it adds up itself, by atomics; a
// kernel whose blocks look back at those before them (Merrill & Garland 2016), which does all of it, took 205.

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

/// Marks the keys that begin a run, and counts them. Examines: also looks for NaN, and how the keys are ordered.
template <class Word, bool Examines>
__global__ void __launch_bounds__(block_threads, resident_blocks<Word, Examines>)
    mark_heads(const __grid_constant__ key_words<Word> a, ranking by, findings* found) {
  constexpr int K = key_words<Word>::K, marks = key_words<Word>::marks;
  union word {
    uint4 whole;
    Word key[K];
  } x[rows];
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const std::int64_t i = a.place(r);
    if (i >= 0 && i + K <= a.n) [[likely]] {
      x[r].whole = __ldcs(reinterpret_cast<const uint4*>(a.keys + i));
    } else {
#pragma unroll
      for (int c = 0; c < K; ++c) x[r].key[c] = i + c >= 0 && i + c < a.n ? a.keys[i + c] : Word{0};
    }
  }
  // The key before the warp's: of its first thread.
  Word last = 0;
  if (const std::int64_t i = a.place(0); lane_id() == 0 && i > 0 && i <= a.n) last = a.keys[i - 1];
  Word differing = 0;
  bool descends = false;
  std::int64_t nan = 0;
  const Word lowest = Examines ? rank_of(a.keys[0], by) : Word{0};
  unsigned mine[(marks + 31) / 32];
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const std::int64_t i = a.place(r);
    const Word of_left = __shfl_sync(whole_warp, x[r].key[K - 1], (lane_id() + 31) & 31);
    Word before = rank_of(lane_id() == 0 ? last : of_left, by);
    last = of_left;  // the first thread's is that of the last one
#pragma unroll
    for (int c = 0; c < K; ++c) {
      const Word rank = rank_of(x[r].key[c], by);
      const bool there = i + c >= 0 && i + c < a.n;
      const unsigned those = __ballot_sync(whole_warp, there && (i + c == 0 || rank != before));
      if (lane_id() == (r * K + c) % 32) mine[(r * K + c) / 32] = those;
      if (Examines && there) {
        descends |= i + c > 0 && rank < before;
        differing |= static_cast<Word>(rank ^ lowest);
        if (is_nan(x[r].key[c], by)) nan = max(nan, a.n - i - c);
      }
      before = rank;
    }
  }
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
    if (nan > 0) atomicMax(&found->from_nan, static_cast<unsigned long long>(nan));
    descends = __any_sync(whole_warp, descends);
    unsigned long long all = differing;
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
struct run_places {
  findings* found;
  Offset* offsets;      ///< of the runs, and the end
  Word* firsts;         ///< the first key of each run
  std::int64_t room;    ///< for that many
  std::int64_t* count;  ///< null, or where the number of runs goes, too
};

/// What a warp of write_runs writes: the heads that so many warps have marked. A block begins by adding up what is
/// before it, which is not worth it for less.
constexpr int marked_by = 8, block_marked_by = marked_by * block_warps;

/// Writes where the runs begin, and their keys.
template <class Word, class Offset>
__global__ void __launch_bounds__(block_threads)
    write_runs(const __grid_constant__ key_words<Word> a, const __grid_constant__ run_places<Word, Offset> to) {
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

// ---- sorting, and what follows -----------------------------------------------------------------------------

template <class Word, class Rank>
__global__ void write_ranks(const Word* keys, std::int64_t n, ranking by, Rank* ranks, std::uint32_t* numbers) {
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    ranks[i] = rank_of(keys[i], by);
    numbers[i] = static_cast<std::uint32_t>(i);
  }
}

/// Which elements are gathered: those at `places`, or all where that is null; in the order of `numbers`, or as they are
/// where that is null.
struct selected_places {
  const void* places;
  bool wide;  ///< places of 8 bytes, else 4
  const std::uint32_t* numbers;
  std::int64_t count;

  __device__ std::int64_t operator[](std::int64_t i) const {
    if (places)
      i = wide ? static_cast<const std::int64_t*>(places)[i]
               : std::int64_t{static_cast<const std::uint32_t*>(places)[i]};
    return numbers ? numbers[i] : i;
  }
};

/// Copies elements of `words` words each.
template <class Word>
__global__ void copy_elements(const Word* from, Word* to, std::int64_t words, selected_places which) {
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x, all = which.count * words;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < all; i += step) {
    const std::int64_t element = words == 1 ? i : i / words;
    to[i] = from[which[element] * words + (i - element * words)];
  }
}

/// Blocks for n pieces of work, one a thread; of more than a million blocks the threads take turns.
unsigned blocks_for(std::int64_t n) {
  return static_cast<unsigned>(std::min<std::int64_t>((n - 1) / block_threads + 1, 1 << 20));
}

void check_launch() { check(cudaGetLastError(), "the launch of a kernel"); }

/// Copies those elements of `size` bytes to `to`.
void gather(const void* from, std::int64_t size, const selected_places& which, void* to, cudaStream_t stream) {
  if (which.count == 0) return;
  // The largest word that elements consist of, where they are.
  const std::uint64_t bits = reinterpret_cast<std::uintptr_t>(from) | reinterpret_cast<std::uintptr_t>(to) |
                             static_cast<std::uint64_t>(size) | 16;
  const auto word = static_cast<std::int64_t>(bits & (~bits + 1));
  const auto launch = [&]<class Word>(Word) {
    const std::int64_t words = size / word;
    copy_elements<<<blocks_for(which.count * words), block_threads, 0, stream>>>(static_cast<const Word*>(from),
                                                                                 static_cast<Word*>(to), words, which);
  };
  switch (word) {
    case 1:
      launch(std::uint8_t{});
      break;
    case 2:
      launch(std::uint16_t{});
      break;
    case 4:
      launch(std::uint32_t{});
      break;
    case 8:
      launch(uint2{});
      break;
    default:
      launch(uint4{});
  }
  check_launch();
}

/// Calls f(word) with a value of the unsigned integer type that keys of a type are read as.
template <class Function>
void with_word_of(dtype keys, const Function& f) {
  switch (size_of(keys)) {
    case 1:
      return f(std::uint8_t{});
    case 2:
      return f(std::uint16_t{});
    case 4:
      return f(std::uint32_t{});
    default:
      return f(std::uint64_t{});
  }
}

constexpr std::int64_t rounded_up(std::int64_t bytes) { return (bytes + 255) / 256 * 256; }

}  // namespace

/// What the memory of a grouper has, in this order.
struct grouper::layout {
  std::int64_t groups, warps, bits, offsets, end;  ///< after the findings
  layout(std::int64_t most, bool wide) {
    using words = key_words<std::uint64_t>;  // of the widest keys there are the most warps
    const std::int64_t most_warps = (most / words::tile + 2) * block_warps;
    groups = static_cast<std::int64_t>(sizeof(findings));
    warps = rounded_up(groups + 4 * (most_warps / group_warps + 1));
    bits = rounded_up(warps + 4 * most_warps);
    offsets = rounded_up(bits + (most + 16) / 8 + 2 * key_words<std::uint8_t>::tile / 8);
    end = offsets + (most + 1) * (wide ? 8 : 4);
  }
  template <class T>
  static T* in(void* memory, std::int64_t at) {
    return reinterpret_cast<T*>(static_cast<char*>(memory) + at);
  }
};

std::int64_t grouper::bytes() const { return layout(most_, wide_).end; }
void* grouper::offsets(void* memory) const { return layout::in<char>(memory, layout(most_, wide_).offsets); }

/// Finds the runs of n keys, or of their ranks.
template <class Word>
void grouper::find(const Word* keys, std::int64_t n, const ranking& by, bool examines, void* memory,
                   const run_outputs& to, cudaStream_t stream) const {
  const layout at(most_, wide_);
  const key_words<Word> a{keys,
                          n,
                          static_cast<int>(reinterpret_cast<std::uintptr_t>(keys) % 16 / sizeof(Word)),
                          layout::in<std::uint32_t>(memory, at.bits),
                          layout::in<unsigned>(memory, at.warps),
                          layout::in<unsigned>(memory, at.groups)};
  auto* const found = static_cast<findings*>(memory);
  if (examines) {
    check(cudaMemsetAsync(found, 0, sizeof *found, stream), "a memset");
    mark_heads<Word, true><<<a.blocks(), block_threads, 0, stream>>>(a, by, found);
  } else {
    mark_heads<Word, false><<<a.blocks(), block_threads, 0, stream>>>(a, by, found);
  }
  if (const unsigned groups = a.blocks() / (group_warps / block_warps); groups > 0)
    add_up_groups<<<groups, block_threads, 0, stream>>>(a.of_warps, a.of_groups);
  const auto write = [&]<class Offset>(Offset) {
    const unsigned blocks = (a.blocks() + marked_by - 1) / marked_by;
    write_runs<<<blocks, block_threads, 0, stream>>>(
        a, run_places<Word, Offset>{found, static_cast<Offset*>(offsets(memory)), static_cast<Word*>(to.keys),
                                    to.keys ? to.room : 0, to.count});
  };
  if (wide_)
    write(std::uint64_t{});
  else
    write(std::uint32_t{});
  check_launch();
}

device_segments grouper::enqueue_runs(const void* keys, std::int64_t n, void* memory, const run_outputs& to,
                                      cudaStream_t stream) const {
  with_word_of(keys_, [&](auto word) {
    find(static_cast<const decltype(word)*>(keys), n, ranking_of(keys_), false, memory, to, stream);
  });
  return {n, n, offsets(memory), std::min(n, to.room), wide_, &static_cast<const findings*>(memory)->count};
}

key_runs grouper::group(const void* keys, std::int64_t n, bool runs, void* memory, device_memory& sorting) const {
  key_runs made{0, nullptr};
  const auto seen = [&] {
    findings found{};
    check(cudaMemcpy(&found, memory, sizeof found, cudaMemcpyDeviceToHost), "a copy");
    made.count = found.count;
    return found;
  };
  with_word_of(keys_, [&](auto word) {
    using Word = decltype(word);
    const auto* const all = static_cast<const Word*>(keys);
    const ranking by = ranking_of(keys_);
    const bool examines = !runs || by.infinity != 0;  // else nothing but the count is found
    find(all, n, by, examines, memory, {}, cudaStreamLegacy);
    const findings found = seen();
    if (examines && found.from_nan != 0)
      throw error(error_code::invalid_argument,
                  "key " + std::to_string(n - static_cast<std::int64_t>(found.from_nan)) + " is a NaN");
    if (runs || !found.descends) return;
    made.order = sort(all, n, found.differing, memory, sorting);
    seen();
  });
  return made;
}

/// Sorts the keys' ranks in those bits that differ, with the numbers of their elements, which it returns in that order,
/// and finds the runs of ranks.
template <class Word>
const std::uint32_t* grouper::sort(const Word* keys, std::int64_t n, std::uint64_t differing, void* memory,
                                   device_memory& sorting) const {
  using rank = std::conditional_t<sizeof(Word) <= 4, std::uint32_t, std::uint64_t>;
  if (n > most_sorted)
    throw error(error_code::unsupported, std::to_string(n) +
                                             " keys do not ascend, and a GPU sorts at most 2^32; sort them before, or "
                                             "group parts of them");
  const std::int64_t rank_bytes = rounded_up(n * static_cast<std::int64_t>(sizeof(rank)));
  const std::int64_t number_bytes = rounded_up(n * 4), both = 2 * (rank_bytes + number_bytes);
  const int first_bit = __builtin_ctzll(differing), end_bit = 64 - __builtin_clzll(differing);
  std::size_t bytes = 0;
  cub::DoubleBuffer<rank> ranks;
  cub::DoubleBuffer<std::uint32_t> numbers;
  const auto sort_with = [&](void* scratch) {
    check(cub::DeviceRadixSort::SortPairs(scratch, bytes, ranks, numbers, n, first_bit, end_bit, cudaStreamLegacy),
          "the sorting of keys");
  };
  sort_with(nullptr);
  sorting.grow(both + static_cast<std::int64_t>(bytes) + 1);
  auto* const at = static_cast<char*>(sorting.data());
  ranks = {reinterpret_cast<rank*>(at), reinterpret_cast<rank*>(at + rank_bytes)};
  numbers = {reinterpret_cast<std::uint32_t*>(at + 2 * rank_bytes),
             reinterpret_cast<std::uint32_t*>(at + 2 * rank_bytes + number_bytes)};
  write_ranks<<<blocks_for(n), block_threads, 0, cudaStreamLegacy>>>(keys, n, ranking_of(keys_), ranks.Current(),
                                                                     numbers.Current());
  check_launch();
  sort_with(at + both);
  find(ranks.Current(), n, {0, 0}, false, memory, {}, cudaStreamLegacy);
  return numbers.Current();
}

device_segments grouper::segments(const key_runs& made, std::int64_t n, void* memory) const {
  return {n, n, offsets(memory), made.count, wide_};
}

void grouper::gather_keys(const void* keys, const key_runs& made, void* memory, void* to) const {
  gather(keys, size_of(keys_), {offsets(memory), wide_, made.order, made.count}, to, cudaStreamLegacy);
}

void gather_elements(const void* from, std::int64_t size, const std::uint32_t* order, std::int64_t n, void* to) {
  gather(from, size, {nullptr, false, order, n}, to, cudaStreamLegacy);
}

}  // namespace onefold::cuda
