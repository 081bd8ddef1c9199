// The kernel that counts elements in bins: a multiplication or a search finds the bin of an element, and the counters
// are in shared memory where the bins fit there.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstring>
#include <type_traits>

#include "histogram.hpp"
#include "onefold/detail/cuda/ptx.cuh"
#include "onefold/detail/cuda/stream.cuh"

namespace onefold::cuda {
namespace {

constexpr int counting_threads = 1024;
constexpr int words_in_flight = 2;  ///< of 16 bytes, for each thread
constexpr unsigned no_bin = ~0u;

/// What the kernel knows.
struct counting_arguments {
  const void* data;
  std::int64_t n;
  const std::uint64_t* limits;  ///< as in bin_request
  std::uint64_t first, last;    ///< the first limit, and the key that is the last one
  unsigned bins;
  std::uint64_t sign, below_zero;  ///< the bits of elements that keys have inverted: of all, and of negative ones
  double low, per_unit, within;    ///< of a guess: it holds where it is that near to an integer
  int levels, near_levels;         ///< of the tree of limits, and those in shared memory
  unsigned parts, part_bins;       ///< neighboring blocks count the same elements in different bins, so many each
  unsigned log2_copies;            ///< of each counter in shared memory
  unsigned counter_words;          ///< of 16 bytes, for all of them
  unsigned long long* counts;
};

template <class Word>
using key_for = std::conditional_t<sizeof(Word) <= 4, std::uint32_t, std::uint64_t>;

/// The bin of a key that is not beyond all bins, by halves.
template <class Key>
__device__ unsigned searched_bin(const counting_arguments& p, Key key) {
  unsigned bin = 0;
  for (unsigned left = p.bins; left > 1;) {
    const unsigned half = left / 2;
    bin += p.limits[bin + half] <= key ? half : 0;
    left -= half;
  }
  return bin;
}

template <class Word>
__device__ key_for<Word> key_of(const counting_arguments& p, Word bits) {
  using key = key_for<Word>;
  const key x = bits, negative = key{0} - (x >> (8 * sizeof(Word) - 1));
  return x ^ ((negative & static_cast<key>(p.below_zero)) | static_cast<key>(p.sign));
}

template <class Key>
__device__ bool is_counted(const counting_arguments& p, Key key) {
  return key >= static_cast<Key>(p.first) && key <= static_cast<Key>(p.last);
}

/// Of elements of 8 bits each value has a counter, so that nothing has to be found.
struct no_search {
  using word = std::uint8_t;
  static constexpr int blocks = 2;                   ///< that a multiprocessor holds
  static constexpr bool needs_near_counters = true;  ///< whether counters always fit into shared memory
  static constexpr unsigned most_parts = 1;          ///< that search again rather than count in global memory
  __device__ no_search(const counting_arguments&, uint4*) {}
  template <int N>
  __device__ void find(const word (&x)[N], unsigned (&bin)[N]) const {
    for (int i = 0; i < N; ++i) bin[i] = x[i];
  }
};

/// A binary search of limits. Those of the first levels are in shared memory, level by level (S. Khuong and P. Morin,
/// Array layouts for comparison-based searching, 2017): what a warp reads at a level lies together, which avoids bank
/// conflicts on the upper ones. Node i has the children 2i and 2i + 1; nodes without a limit have the largest key.
template <class Word>
struct tree_search {
  using word = Word;
  static constexpr int blocks = 1;  // keys and nodes of several elements are in registers
  static constexpr bool needs_near_counters = false;
  static constexpr unsigned most_parts = 1;
  using key = key_for<Word>;
  const counting_arguments& p;
  const key* tree;

  __device__ tree_search(const counting_arguments& arguments, uint4* memory) : p(arguments) {
    auto* const nodes = reinterpret_cast<key*>(memory);
    tree = nodes;
    for (unsigned node = 1 + threadIdx.x; node < 1u << p.near_levels; node += counting_threads) {
      const unsigned limit = limit_of(node, 31 - __clz(static_cast<int>(node)));
      nodes[node] = limit < p.bins ? static_cast<key>(p.limits[limit]) : static_cast<key>(~key{0});
    }
  }
  template <int N>
  __device__ void find(const Word (&x)[N], unsigned (&bin)[N]) const {
    key keys[N];
#pragma unroll
    for (int i = 0; i < N; ++i) {
      keys[i] = key_of(p, x[i]);
      bin[i] = 1;
    }
    for (int level = 0; level < p.near_levels; ++level)
#pragma unroll
      for (int i = 0; i < N; ++i) bin[i] = 2 * bin[i] + (tree[bin[i]] <= keys[i] ? 1 : 0);
    for (int level = p.near_levels; level < p.levels; ++level)
#pragma unroll
      for (int i = 0; i < N; ++i) {
        const unsigned limit = limit_of(bin[i], level);
        bin[i] = 2 * bin[i] + (limit < p.bins && static_cast<key>(p.limits[limit]) <= keys[i] ? 1 : 0);
      }
#pragma unroll
    for (int i = 0; i < N; ++i) {
      const unsigned found = bin[i] - (1u << p.levels);
      bin[i] = !is_counted(p, keys[i]) ? no_bin : found < p.bins ? found : p.bins - 1;
    }
  }

 private:
  __device__ unsigned limit_of(unsigned node, int level) const {
    return (2 * (node - (1u << level)) + 1) << (p.levels - 1 - level);
  }
};

/// An integer that is added to numbers below a quarter of it leaves them rounded to integers.
__device__ inline float rounding_number(float) { return 0x1.8p23f; }
__device__ inline double rounding_number(double) { return 0x1.8p52; }
__device__ inline float times_minus_half(float x, float y) { return __fmaf_rn(x, y, -0.5f); }
__device__ inline double times_minus_half(double x, double y) { return __fma_rn(x, y, -0.5); }
__device__ inline float magnitude_of(float x) { return fabsf(x); }
__device__ inline double magnitude_of(double x) { return fabs(x); }
/// What was added to a rounding number.
__device__ inline unsigned added_to(float rounded) { return __builtin_bit_cast(unsigned, rounded) - 0x4b400000u; }
__device__ inline unsigned added_to(double rounded) {
  return static_cast<unsigned>(__builtin_bit_cast(std::uint64_t, rounded));
}

template <class T>
using word_for =
    std::conditional_t<sizeof(T) == 2, std::uint16_t, std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;

/// The number that bits are, in type G.
template <class T, class G>
__device__ G number_of(word_for<T> bits) {
  if constexpr (std::is_same_v<T, f16>)
    return detail::float_from_half(bits);
  else if constexpr (std::is_same_v<T, bf16>)
    return detail::float_from_bf16(bits);
  else
    return static_cast<G>(__builtin_bit_cast(T, bits));
}

/// A guess in numbers of type G (bin_guess), and a search where it does not hold. It has no branch but that one: where
/// an element is below or above all bins, the guess is too, as an unsigned integer.
template <class T, class G>
struct guessed_search {
  using word = word_for<T>;
  static constexpr int blocks = 2;
  static constexpr bool needs_near_counters = false;
  static constexpr unsigned most_parts = 8;
  const counting_arguments& p;
  G low, per_unit, within;

  __device__ guessed_search(const counting_arguments& arguments, uint4*)
      : p(arguments),
        low(static_cast<G>(p.low)),
        per_unit(static_cast<G>(p.per_unit)),
        within(static_cast<G>(p.within)) {}

  template <int N>
  __device__ void find(const word (&x)[N], unsigned (&bin)[N]) const {
    constexpr G far = sizeof(G) == 4 ? G(1 << 21) : G(1 << 30);  // what a rounding number takes, and `unsigned` has
    bool holds[N], all_hold = true;
#pragma unroll
    for (int i = 0; i < N; ++i) {
      const G place = times_minus_half(number_of<T, G>(x[i]) - low, per_unit);
      const G rounded = place + rounding_number(G{}), off = place - (rounded - rounding_number(G{}));
      holds[i] = magnitude_of(place) < far && magnitude_of(off) < within;  // false for NaN
      all_hold = all_hold && holds[i];
      bin[i] = added_to(rounded);
    }
    if (all_hold) return;
#pragma unroll
    for (int i = 0; i < N; ++i)
      if (!holds[i]) {
        const auto key = key_of(p, x[i]);
        bin[i] = is_counted(p, key) ? searched_bin(p, key) : no_bin;
      }
  }
};

/// Counters in shared memory for one part of the bins; the last is for all other elements, since counting them is
/// faster than branching around the addition. A launch has fewer elements than 32 bits hold.
class near_counters {
 public:
  __device__ near_counters(const counting_arguments& p, uint4* memory)
      : counters_(reinterpret_cast<unsigned*>(memory)),
        log2_(p.log2_copies),
        copy_(threadIdx.x & ((1u << p.log2_copies) - 1)),
        first_(blockIdx.x % p.parts * p.part_bins),
        size_(min(p.part_bins, p.bins - first_)),
        own_(detail::shared_place(counters_ + copy_)) {
    for (unsigned i = threadIdx.x; i < size_ << log2_; i += counting_threads) counters_[i] = 0;
  }
  template <unsigned Times = 1>
  __device__ void add(unsigned bin) {
    detail::add_to_shared<Times>(own_ + (min(bin - first_, size_) << (log2_ + 2)));
  }
  __device__ void finish(const counting_arguments& p) const {
    __syncthreads();
    detail::await_stream();
    for (unsigned bin = threadIdx.x; bin < size_; bin += counting_threads) {
      unsigned sum = 0;
      for (unsigned i = 0; i < 1u << log2_; ++i)  // each lane begins in another bank
        sum += counters_[(bin << log2_) + ((copy_ + i) & ((1u << log2_) - 1))];
      if (sum != 0) atomicAdd(p.counts + first_ + bin, static_cast<unsigned long long>(sum));
    }
  }

 private:
  unsigned* counters_;
  unsigned log2_, copy_, first_, size_;
  std::uint32_t own_;  ///< where the first counter of this thread's copy is in shared memory
};

/// Counters in global memory alone. Elements in a row that are in the same bin are added together: what is all in one
/// bin would contend for one address.
class far_counters {
 public:
  __device__ far_counters(const counting_arguments& p, uint4*) : counts_(p.counts), bins_(p.bins) {
    detail::await_stream();
  }
  __device__ void add(unsigned bin) {
    if (bin == bin_) {
      ++alike_;
      return;
    }
    flush();
    bin_ = bin;
    alike_ = 1;
  }
  /// Adds what is left, in one addition if the whole warp has the same bin.
  __device__ void finish(const counting_arguments&) {
    if (__all_sync(~0u, bin_ == __shfl_sync(~0u, bin_, 0))) {
#pragma unroll
      for (int lanes = 16; lanes > 0; lanes /= 2) alike_ += __shfl_xor_sync(~0u, alike_, lanes);
      if (threadIdx.x % 32 != 0) return;
    }
    flush();
  }

 private:
  __device__ void flush() const {
    if (bin_ < bins_) atomicAdd(counts_ + bin_, alike_);
  }
  unsigned long long* counts_;
  unsigned bins_, bin_ = no_bin;
  unsigned long long alike_ = 0;
};

/// Whether all bytes of 16 are equal.
__device__ inline bool is_one_byte(const uint4& x) {
  return x.x == x.y && x.x == x.z && x.x == x.w && x.x == (x.x & 0xff) * 0x01010101u;
}

/// Adds the elements of 16 bytes to the counters of their bins; 16 equal bytes, as in blank regions, at once.
template <class Search, class Counters>
__device__ void count_word(const Search& search, Counters& counters, const uint4& loaded) {
  using word = typename Search::word;
  constexpr int of_words = 16 / sizeof(word);
  word x[of_words];
  std::memcpy(x, &loaded, sizeof x);
  unsigned bin[of_words];
  if constexpr (sizeof(word) == 1)
    if (is_one_byte(loaded)) {
      counters.template add<of_words>(x[0]);
      return;
    }
  search.find(x, bin);
#pragma unroll
  for (int i = 0; i < of_words; ++i) counters.add(bin[i]);
}

/// Dynamic shared memory: counters, if they are there, and then what the search has. Each worker counts adjacent words.
/// Elements and limits are in memory before the preceding launch begins, so only the counts are awaited.
template <class Search, class Counters>
__global__ void __launch_bounds__(counting_threads, Search::blocks)
    count_elements(const __grid_constant__ counting_arguments p) {
  using word = typename Search::word;
  constexpr int of_words = 16 / sizeof(word);
  ONEFOLD_DYNAMIC_MEMORY(memory);
  Counters counters(p, memory);
  const Search search(p, memory + p.counter_words);
  __syncthreads();

  const auto* const all = static_cast<const word*>(p.data);
  const auto head = min(p.n, static_cast<std::int64_t>(-reinterpret_cast<std::uintptr_t>(all) % 16 / sizeof(word)));
  const auto words = static_cast<unsigned>((p.n - head) / of_words);
  const std::int64_t beyond = head + std::int64_t{words} * of_words;  // the first element after them
  const unsigned worker = blockIdx.x / p.parts, workers = gridDim.x / p.parts, chunk = (words + workers - 1) / workers;
  const unsigned begin = min(words, worker * chunk), end = min(words, begin + chunk);
  const auto* const from = reinterpret_cast<const uint4*>(all + head);
  for (unsigned at = begin + threadIdx.x; at < end; at += counting_threads * words_in_flight) {
    uint4 loaded[words_in_flight];
#pragma unroll
    for (int w = 0; w < words_in_flight; ++w)
      if (at + w * counting_threads < end) loaded[w] = from[at + w * counting_threads];
#pragma unroll
    for (int w = 0; w < words_in_flight; ++w) {
      if (at + w * counting_threads >= end) break;
      count_word(search, counters, loaded[w]);
    }
  }
  if (worker == 0 && threadIdx.x < head + (p.n - beyond)) {
    const word x[1] = {threadIdx.x < head ? all[threadIdx.x] : all[beyond - head + threadIdx.x]};
    unsigned bin[1];
    search.find(x, bin);
    counters.add(bin[0]);
  }
  counters.finish(p);
}

/// Sets counts to 0. The launch that adds to them may begin at once, and relies on all earlier work having ended: this
/// one must not follow a launch itself.
__global__ void clear_counts(unsigned long long* counts, std::int64_t n) {
  detail::release_stream();
  const std::int64_t at = std::int64_t{blockIdx.x} * counting_threads + threadIdx.x;
  if (at < n) counts[at] = 0;
}

}  // namespace
}  // namespace onefold::cuda
