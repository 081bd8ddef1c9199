// Groups of elements with equal keys: the keys are ranked, sorted where they do not ascend, and cut where they change.
#include "keys.hpp"

#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "devices.hpp"
#include "places.hpp"

namespace onefold::cuda {
namespace {

// Four blocks of eight warps a multiprocessor walk over the keys, each warp over neighbours, four rows of 32 at a time.
constexpr int block_threads = 256, warps_of_block = block_threads / 32, blocks_of_processor = 4, rows = 4;

// Sorted with a key goes the number of its element, in 32 bits. More keys would take 100 GiB to sort.
constexpr std::int64_t most_sorted = std::int64_t{1} << 32;

/// Device memory of any contents. (That of class device_memory is zeroed, which would cost a tenth of the sorting.)
class room {
 public:
  room() = default;
  explicit room(std::int64_t bytes) {
    const std::string what = "cudaMalloc of " + std::to_string(bytes) + " bytes";
    check(cudaMalloc(&data_, static_cast<std::size_t>(bytes)), what.c_str());
  }
  ~room() { static_cast<void>(cudaFree(data_)); }
  room(room&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  room& operator=(room&& other) noexcept {
    std::swap(data_, other.data_);
    return *this;
  }
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  void* data_ = nullptr;
};

/// How the bits of keys become ranks: unsigned numbers in the order of the keys, the same for keys that compare equal.
struct ranking {
  std::uint64_t sign;      ///< the bit of the sign; 0: there is none
  std::uint64_t infinity;  ///< the bits of infinity; 0: the keys are integers, or ranks already
};

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

/// What the keys are like.
struct findings {
  unsigned long long first_nan;  ///< all bits set: there is none
  unsigned long long differing;  ///< the bits in which ranks differ from the first one
  unsigned int descends;         ///< whether a rank is less than the one before it
};

/// The neighbouring keys of each warp.
struct shares {
  std::int64_t n;     ///< keys
  std::int64_t each;  ///< of a warp, a multiple of its rows
  unsigned blocks;

  shares(std::int64_t keys, int device) : n(keys) {
    constexpr std::int64_t row = 32 * rows;
    const std::int64_t most = std::int64_t{processors(device)} * blocks_of_processor;
    blocks = static_cast<unsigned>(std::clamp<std::int64_t>(n / (row * warps_of_block), 1, most));
    each = (n / (warps() * row) + 1) * row;
  }
  std::int64_t warps() const { return std::int64_t{blocks} * warps_of_block; }
};

/// Calls f(i, key, key before) for the keys of this warp, with 32 neighbours at a time; i may be beyond the end. The
/// first key is its own predecessor.
template <class Word, class Function>
__device__ void for_keys_of_warp(const Word* __restrict__ keys, std::int64_t n, std::int64_t each, const Function& f) {
  const std::int64_t warp = (std::int64_t{blockIdx.x} * block_threads + threadIdx.x) / 32;
  const std::int64_t begin = warp * each, end = std::min(begin + each, n);
  for (std::int64_t i = begin + threadIdx.x % 32; i - threadIdx.x % 32 < end; i += 32 * rows) {
    Word key[rows], before[rows];
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const std::int64_t at = std::min(i + 32 * r, end - 1);
      key[r] = keys[at];
      before[r] = keys[at > 0 ? at - 1 : 0];
    }
#pragma unroll
    for (int r = 0; r < rows; ++r) f(i + 32 * r, end, key[r], before[r]);
  }
}

/// Counts the heads of each warp: the keys that begin a run of equal ones.
template <class Word>
__global__ void __launch_bounds__(block_threads)
    examine(const Word* keys, std::int64_t n, std::int64_t each, ranking by, findings* found, std::int64_t* heads) {
  std::int64_t nan = n;
  int count = 0;
  bool descends = false;
  Word differing = 0;
  const Word first = rank_of(keys[0], by);
  for_keys_of_warp(keys, n, each, [&](std::int64_t i, std::int64_t end, Word key, Word before) {
    const Word rank = rank_of(key, by), last = rank_of(before, by);
    const bool there = i < end;
    count += __popc(__ballot_sync(~0u, there && (i == 0 || rank != last)));
    descends |= there && rank < last;
    differing |= static_cast<Word>(rank ^ first);
    if (there && is_nan(key, by)) nan = std::min(nan, i);
  });
  if (nan < n) atomicMin(&found->first_nan, static_cast<unsigned long long>(nan));
  descends = __any_sync(~0u, descends);
  unsigned long long all = differing;
  for (int distance = 16; distance > 0; distance /= 2) all |= __shfl_xor_sync(~0u, all, distance);
  if (threadIdx.x % 32 != 0) return;
  heads[std::int64_t{blockIdx.x} * warps_of_block + threadIdx.x / 32] = count;
  if (all != 0) atomicOr(&found->differing, all);
  if (descends) atomicOr(&found->descends, 1u);
}

/// Writes the places of the heads, where it is known how many are before each warp's.
template <class Word>
__global__ void __launch_bounds__(block_threads)
    write_heads(const Word* keys, std::int64_t n, std::int64_t each, ranking by, const std::int64_t* before_warp,
                std::int64_t* offsets) {
  const unsigned lane = threadIdx.x % 32;
  std::int64_t* to = offsets + before_warp[std::int64_t{blockIdx.x} * warps_of_block + threadIdx.x / 32];
  for_keys_of_warp(keys, n, each, [&](std::int64_t i, std::int64_t end, Word key, Word before) {
    const bool is_head = i < end && (i == 0 || rank_of(key, by) != rank_of(before, by));
    const unsigned all = __ballot_sync(~0u, is_head);
    if (is_head) to[__popc(all & ((1u << lane) - 1))] = i;
    to += __popc(all);
  });
}

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
  const std::int64_t* places;
  const std::uint32_t* numbers;
  std::int64_t count;
};

/// Copies elements of `words` words each.
template <class Word>
__global__ void copy_elements(const Word* from, Word* to, std::int64_t words, selected_places which) {
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x, all = which.count * words;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < all; i += step) {
    const std::int64_t element = words == 1 ? i : i / words;
    std::int64_t at = which.places ? which.places[element] : element;
    if (which.numbers) at = which.numbers[at];
    to[i] = from[at * words + (i - element * words)];
  }
}

/// Blocks for n pieces of work, one a thread; of more than a million blocks the threads take turns.
unsigned blocks_for(std::int64_t n) {
  return static_cast<unsigned>(std::min<std::int64_t>((n - 1) / block_threads + 1, 1 << 20));
}

void check_launch() { check(cudaGetLastError(), "the launch of a kernel"); }

room gathered(const void* from, std::int64_t size, const selected_places& which) {
  room made(which.count * size);
  // The largest word that elements consist of, where they are.
  const std::uint64_t bits = reinterpret_cast<std::uintptr_t>(from) | static_cast<std::uint64_t>(size) | 16;
  const auto word = static_cast<std::int64_t>(bits & (~bits + 1));
  const auto launch = [&]<class Word>(Word) {
    const std::int64_t words = size / word;
    copy_elements<<<blocks_for(which.count * words), block_threads, 0, cudaStreamLegacy>>>(
        static_cast<const Word*>(from), made.as<Word>(), words, which);
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
  return made;
}

/// What is at p: where it is in device memory, after a copy into `copy` if it was in host memory.
const void* on_device(const void* p, std::int64_t bytes, int device, room& copy) {
  if (place_of(p, device) == place::device) return p;
  require_readable(p, bytes);
  copy = room(bytes);
  check(cudaMemcpy(copy.as<void>(), p, static_cast<std::size_t>(bytes), cudaMemcpyHostToDevice), "a copy");
  return copy.as<void>();
}

/// The heads among keys: counted, then written.
template <class Word>
class run_finder {
 public:
  run_finder(const Word* keys, std::int64_t n, const ranking& by, int device)
      : keys_(keys), by_(by), of_(n, device), found_(sizeof(findings)), heads_(of_.warps() * 8) {
    seen = {~0ull, 0, 0};
    check(cudaMemcpy(found_.as<void>(), &seen, sizeof seen, cudaMemcpyHostToDevice), "a copy");
    examine<<<of_.blocks, block_threads, 0, cudaStreamLegacy>>>(keys_, n, of_.each, by_, found_.as<findings>(),
                                                                heads_.as<std::int64_t>());
    check_launch();
    check(cudaMemcpy(&seen, found_.as<void>(), sizeof seen, cudaMemcpyDeviceToHost), "a copy");
    if (seen.first_nan != ~0ull)
      throw error(error_code::invalid_argument, "key " + std::to_string(seen.first_nan) + " is a NaN");
  }

  /// Where each run begins, and the end; `count` gets how many runs there are.
  room offsets(std::int64_t& count) const {
    std::vector<std::int64_t> before(static_cast<std::size_t>(of_.warps()));
    const std::size_t bytes = before.size() * sizeof before[0];
    check(cudaMemcpy(before.data(), heads_.as<void>(), bytes, cudaMemcpyDeviceToHost), "a copy");
    count = std::reduce(before.begin(), before.end());
    std::exclusive_scan(before.begin(), before.end(), before.begin(), std::int64_t{0});
    check(cudaMemcpy(heads_.as<void>(), before.data(), bytes, cudaMemcpyHostToDevice), "a copy");
    room made((count + 1) * static_cast<std::int64_t>(sizeof(std::int64_t)));
    auto* const to = made.as<std::int64_t>();
    write_heads<<<of_.blocks, block_threads, 0, cudaStreamLegacy>>>(keys_, of_.n, of_.each, by_,
                                                                    heads_.as<std::int64_t>(), to);
    check_launch();
    check(cudaMemcpy(to + count, &of_.n, sizeof of_.n, cudaMemcpyHostToDevice), "a copy");
    return made;
  }

  findings seen;

 private:
  const Word* keys_;
  ranking by_;
  shares of_;
  room found_, heads_;
};

/// The groups, and the memory that they are in.
struct grouped {
  int device;
  room offsets, keys, elements;
};

/// Sorts the keys' ranks in those bits that differ, with the numbers of their elements, which it returns in that order.
template <class Word>
room sort_keys(const Word* keys, std::int64_t n, const ranking& by, std::uint64_t differing, grouped& made,
               std::int64_t& count) {
  using rank = std::conditional_t<sizeof(Word) <= 4, std::uint32_t, std::uint64_t>;
  if (n > most_sorted)
    throw error(error_code::unsupported, std::to_string(n) +
                                             " keys do not ascend, and a GPU sorts at most 2^32; sort them before, or "
                                             "group parts of them");
  const std::int64_t rank_bytes = n * static_cast<std::int64_t>(sizeof(rank)), number_bytes = n * 4;
  room ranks[2] = {room(rank_bytes), room(rank_bytes)}, numbers[2] = {room(number_bytes), room(number_bytes)};
  write_ranks<<<blocks_for(n), block_threads, 0, cudaStreamLegacy>>>(keys, n, by, ranks[0].as<rank>(),
                                                                     numbers[0].as<std::uint32_t>());
  check_launch();
  cub::DoubleBuffer<rank> both_ranks(ranks[0].as<rank>(), ranks[1].as<rank>());
  cub::DoubleBuffer<std::uint32_t> both_numbers(numbers[0].as<std::uint32_t>(), numbers[1].as<std::uint32_t>());
  const int first_bit = __builtin_ctzll(differing), end_bit = 64 - __builtin_clzll(differing);
  std::size_t bytes = 0;
  const auto sort = [&](void* scratch) {
    check(cub::DeviceRadixSort::SortPairs(scratch, bytes, both_ranks, both_numbers, n, first_bit, end_bit,
                                          cudaStreamLegacy),
          "the sorting of keys");
  };
  sort(nullptr);
  {
    const room scratch(static_cast<std::int64_t>(std::max<std::size_t>(bytes, 1)));
    sort(scratch.as<void>());
  }
  made.offsets = run_finder<rank>(both_ranks.Current(), n, {0, 0}, made.device).offsets(count);
  return std::move(numbers[both_numbers.selector]);
}

template <class Word>
device_groups group_as(const keyed_elements& what, grouped& made) {
  const ranking by = ranking_of(what.key_type);
  room copied_keys;
  const auto* const keys = static_cast<const Word*>(
      on_device(what.keys, what.n * static_cast<std::int64_t>(sizeof(Word)), made.device, copied_keys));
  device_groups groups{nullptr, what.elements, nullptr, nullptr, 0};
  std::optional<room> numbers;
  {
    const run_finder<Word> runs(keys, what.n, by, made.device);
    if (what.runs || !runs.seen.descends)
      made.offsets = runs.offsets(groups.count);
    else
      numbers = sort_keys(keys, what.n, by, runs.seen.differing, made, groups.count);
  }
  const auto* const order = numbers ? numbers->as<std::uint32_t>() : nullptr;
  made.keys = gathered(keys, sizeof(Word), {made.offsets.as<std::int64_t>(), order, groups.count});
  if (order) {
    room copied_elements;
    const void* const elements = on_device(what.elements, what.n * what.element_size, made.device, copied_elements);
    made.elements = gathered(elements, what.element_size, {nullptr, order, what.n});
    groups.elements = made.elements.as<void>();
  }
  check(cudaStreamSynchronize(cudaStreamLegacy), "a kernel");
  groups.offsets = made.offsets.as<std::int64_t>();
  groups.keys = made.keys.as<void>();
  return groups;
}

}  // namespace

device_groups group_by_key(const keyed_elements& what, int device) {
  const current_device here(device);
  auto made = std::make_unique<grouped>();
  made->device = device;
  device_groups groups = [&] {
    switch (size_of(what.key_type)) {
      case 1:
        return group_as<std::uint8_t>(what, *made);
      case 2:
        return group_as<std::uint16_t>(what, *made);
      case 4:
        return group_as<std::uint32_t>(what, *made);
      default:
        return group_as<std::uint64_t>(what, *made);
    }
  }();
  groups.memory = made.release();
  return groups;
}

void release_groups(const device_groups& made) {
  std::unique_ptr<grouped> ended(static_cast<grouped*>(made.memory));
  try {
    const current_device here(ended->device);
    ended.reset();
  } catch (...) {  // a device that is lost: its memory is, too
    static_cast<void>(ended.release());
  }
}

}  // namespace onefold::cuda
