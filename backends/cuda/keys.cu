// Groups of elements with equal keys: keys are ranked, sorted where they do not ascend, and cut where they change.
#include "keys.hpp"

#include <algorithm>
#include <cub/device/device_radix_sort.cuh>

#include "errors.hpp"
#include "runs.cuh"

namespace onefold::cuda {
namespace {

// Sorted with a key goes the number of its element, in 32 bits. More keys would take 100 GiB to sort.
constexpr std::int64_t most_sorted = std::int64_t{1} << 32;

template <class Word, class Rank>
__global__ void write_ranks(const Word* keys, std::int64_t n, bit_layout by, Rank* ranks, std::uint32_t* numbers) {
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    ranks[i] = rank_of(keys[i], by);
    numbers[i] = static_cast<std::uint32_t>(i);
  }
}

/// Which elements are gathered: those with `indices`, or all where that is null; in the order of `numbers`, or as they
/// are where that is null.
struct gathered_elements {
  const void* indices;
  bool wide;  ///< indices of 8 bytes, else 4
  const std::uint32_t* numbers;
  std::int64_t count;

  __device__ std::int64_t operator[](std::int64_t i) const {
    if (indices)
      i = wide ? static_cast<const std::int64_t*>(indices)[i]
               : std::int64_t{static_cast<const std::uint32_t*>(indices)[i]};
    return numbers ? numbers[i] : i;
  }
};

/// Copies elements of `words` words each.
template <class Word>
__global__ void copy_elements(const Word* from, Word* to, std::int64_t words, gathered_elements which) {
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x, all = which.count * words;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < all; i += step) {
    const std::int64_t element = words == 1 ? i : i / words;
    to[i] = from[which[element] * words + (i - element * words)];
  }
}

__global__ void copy_mask(list_selection by, const std::uint32_t* order, std::int64_t n, unsigned char* to) {
  const auto* const mask = static_cast<const unsigned char*>(by.mask);
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    const std::int64_t at = by.offset + order[i] * by.stride;
    to[i] = by.kind == mask_kind::bytes ? mask[at] : mask[at >> 3] >> (at & 7) & 1;
  }
}

/// Blocks for n pieces of work, one a thread; of more than a million blocks the threads take turns.
unsigned blocks_for(std::int64_t n) {
  return static_cast<unsigned>(std::min<std::int64_t>((n - 1) / block_threads + 1, 1 << 20));
}

void check_launch() { check(cudaGetLastError(), "the launch of a kernel"); }

/// Copies those elements of `size` bytes to `to`.
void gather(const void* from, std::int64_t size, const gathered_elements& which, void* to, cudaStream_t stream) {
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
void grouper::find(const Word* keys, std::int64_t n, const bit_layout& by, bool examines, void* memory,
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
        a, run_destinations<Word, Offset>{found, static_cast<Offset*>(offsets(memory)), static_cast<Word*>(to.keys),
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
    find(static_cast<const decltype(word)*>(keys), n, bit_layout_of(keys_), false, memory, to, stream);
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
    const bit_layout by = bit_layout_of(keys_);
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
  write_ranks<<<blocks_for(n), block_threads, 0, cudaStreamLegacy>>>(keys, n, bit_layout_of(keys_), ranks.Current(),
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

void gather_mask(const list_selection& by, const std::uint32_t* order, std::int64_t n, unsigned char* to) {
  copy_mask<<<blocks_for(n), block_threads, 0, cudaStreamLegacy>>>(by, order, n, to);
  check_launch();
}

}  // namespace onefold::cuda
