// What exact sums keep in shared and global memory: elements on their way, a block's superaccumulator, and the
// launch's.
#pragma once

#include "onefold/detail/cuda/outcome.cuh"
#include "onefold/operations/exact.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Warps of a block, 2 blocks to a multiprocessor: for f64 as many as leave enough of its memory to the first-level
/// cache, through which all loads come, beside their bins (of 8, uniform data take 3 % longer).
template <class T>
inline constexpr int exact_warps = sizeof(T) == 8 ? 7 : 8;
inline constexpr int exact_blocks = 2;

// ---- elements ----------------------------------------------------------------------------------------------

/// A thread's elements of a strip, 16 bytes of each row, in registers: on their way while the strip before is added.
template <class T>
struct exact_load {
  using stored = storage_t<T>;
  static constexpr int K = 16 / static_cast<int>(sizeof(T)), lanes = 32 * K;
  neighbours<stored, K> x[strip_rows];

  /// The strip at p, of which `left` elements exist; zero stands for the others.
  __device__ void start(const stored* p, std::int64_t left, bool aligned) {
    p += lane_id() * K;
    if (aligned && left >= strip_rows * lanes) [[likely]] {
#pragma unroll
      for (int r = 0; r < strip_rows; ++r) x[r] = neighbours<stored, K>::load(p + r * lanes);
    } else {
#pragma unroll
      for (int r = 0; r < strip_rows; ++r)
#pragma unroll
        for (int c = 0; c < K; ++c) x[r].e[c] = lane_id() * K + r * lanes + c < left ? p[r * lanes + c] : stored{};
    }
  }
};

/// The same elements in shared memory.
template <class T>
struct exact_strip {
  using stored = storage_t<T>;
  static constexpr int K = exact_load<T>::K;
  static constexpr int count = strip_rows * K;    ///< elements of a thread
  static constexpr int elements = 32 * count;     ///< of the warp
  static constexpr int bytes = strip_rows * 512;  ///< of the warp
  uint4* own;                                     ///< of the first row; the next row's is 32 words on

  __device__ void put(const exact_load<T>& from) const {
#pragma unroll
    for (int r = 0; r < strip_rows; ++r) memcpy(own + 32 * r, &from.x[r], sizeof(uint4));
  }

  /// The elements in registers again.
  __device__ exact_load<T> taken() const {
    exact_load<T> to;
#pragma unroll
    for (int r = 0; r < strip_rows; ++r) memcpy(&to.x[r], own + 32 * r, sizeof(uint4));
    return to;
  }

  /// Calls f(element) for each.
  template <class Function>
  __device__ void each(const Function& f) const {
#pragma unroll
    for (int r = 0; r < strip_rows; ++r) {
      neighbours<stored, K> x;
      memcpy(&x, own + 32 * r, sizeof x);
#pragma unroll
      for (int c = 0; c < K; ++c) f(x.e[c]);
    }
  }

  __device__ static double value(stored x) {
    return static_cast<double>(warp_lanes<additive<T, typename accumulator<T>::type, plain>, T>::element(x));
  }
  /// The largest exponent field: that of infinities and NaN is the largest of all.
  __device__ int largest() const {
    std::uint32_t most = 0;
    each([&](stored e) { most = max(most, size_of(e)); });
    return exponent_of(most);
  }

  /// Orders elements by size; 32 bits hold the exponent.
  __device__ static std::uint32_t size_of(stored x) {
    if constexpr (sizeof(T) == 8)
      return static_cast<std::uint32_t>(__double2hiint(x)) & 0x7fffffffu;
    else
      return __builtin_bit_cast(typename format_of<T>::bits, x) & ((1u << (8 * sizeof(T) - 1)) - 1);
  }
  /// The exponent field of an element of this size.
  __device__ static int exponent_of(std::uint32_t size) {
    return static_cast<int>(size >> (format_of<T>::precision - 1 - (sizeof(T) == 8 ? 32 : 0)));
  }
};

// ---- superaccumulators -------------------------------------------------------------------------------------

/// A superaccumulator in shared memory, to which all threads add. Each limb is two words, because additions of 32 bits
/// are atomic in hardware and those of 64 are not; and has several copies, by lane, because elements of similar size
/// meet in a few limbs.
template <int Copies>
struct shared_accumulator {
  static constexpr int copies = Copies, limbs = superaccumulator::limbs;
  std::uint32_t low[limbs * copies], high[limbs * copies], special;

  __device__ void clear() {
    for (int i = static_cast<int>(threadIdx.x); i < limbs * copies; i += static_cast<int>(blockDim.x))
      low[i] = high[i] = 0;
    if (threadIdx.x == 0) special = 0;
  }
  /// Limb i with what the one below has beyond 32 bits: less than 2^33, so that limbs of many blocks can be added.
  __device__ std::int64_t limb(int i) const {
    const std::int64_t over = i > 0 ? total(i - 1) >> 32 : 0;
    return (i < limbs - 1 ? total(i) & static_cast<std::int64_t>(low_word) : total(i)) + over;
  }

  /// Adds value * 2^(low_bit + bit), in pieces of 32 bits that have value's sign.
  __device__ void deposit(std::int64_t value, int bit) {
    const std::uint64_t size = static_cast<std::uint64_t>(value < 0 ? -value : value);
    const int i = bit >> 5, shift = bit & 31;
    const std::uint64_t lower = size << shift;
    const std::uint32_t pieces[3] = {static_cast<std::uint32_t>(lower), static_cast<std::uint32_t>(lower >> 32),
                                     static_cast<std::uint32_t>(shift ? size >> (64 - shift) : 0)};
    // All low words first: an addition takes long to say what was there before.
    std::uint32_t before[3];
#pragma unroll
    for (int k = 0; k < 3; ++k)
      if (pieces[k]) before[k] = atomicAdd(&low[at(i + k)], value < 0 ? 0u - pieces[k] : pieces[k]);
#pragma unroll
    for (int k = 0; k < 3; ++k)
      if (pieces[k]) {
        const bool borrows = value < 0 && before[k] < pieces[k],
                   carries = value >= 0 && before[k] + pieces[k] < pieces[k];
        if (borrows || carries) atomicAdd(&high[at(i + k)], borrows ? 0xffffffffu : 1u);
      }
  }
  template <class T>
  __device__ void add(T x) {
    const fields f = fields::of(x);
    if (f.infinite || f.nan)
      atomicOr(&special, f.nan ? not_a_number : f.negative ? negative_infinity : positive_infinity);
    deposit(f.significand, f.shift + (format_of<T>::lowest - superaccumulator::low_bit));
  }

 private:
  __device__ static int at(int i) { return i * copies + lane_id() % copies; }
  __device__ std::int64_t total(int i) const {
    std::uint64_t sum = 0;
    for (int c = 0; c < copies; ++c) sum += std::uint64_t{high[i * copies + c]} << 32 | low[i * copies + c];
    return static_cast<std::int64_t>(sum);
  }
};

/// A launch's superaccumulator, and how many blocks have added theirs; zero between launches.
struct exact_scratch {
  superaccumulator total;
  unsigned done;
};

/// Adds a block's sum to the launch's. In the last block that does, true, and `all` is the sum of all.
template <int Copies>
__device__ bool collect(const shared_accumulator<Copies>& block, exact_scratch& scratch, superaccumulator& all) {
  __shared__ bool last;
  const int i = static_cast<int>(threadIdx.x);
  const bool alone = gridDim.x == 1;
  const std::int64_t own = i < superaccumulator::limbs ? block.limb(i) : 0;
  if (!alone) {
    if (own != 0)
      atomicAdd(reinterpret_cast<unsigned long long*>(&scratch.total.limb[i]), static_cast<unsigned long long>(own));
    if (i == superaccumulator::limbs && block.special) atomicOr(&scratch.total.special, block.special);
    __threadfence();
    __syncthreads();
    if (i == 0) last = atomicAdd(&scratch.done, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!last) return false;
  }
  if (i < superaccumulator::limbs)
    all.limb[i] = alone ? own
                        : static_cast<std::int64_t>(
                              atomicExch(reinterpret_cast<unsigned long long*>(&scratch.total.limb[i]), 0ull));
  if (i == superaccumulator::limbs) {
    all.special = alone ? block.special : atomicExch(&scratch.total.special, 0u);
    all.deposits = 2 * gridDim.x;  // of 2^32 at most, that is
    scratch.done = 0;
  }
  __syncthreads();
  return true;
}

// ---- the outcome -------------------------------------------------------------------------------------------

/// The sum, or the mean, rounded: by a warp, in its first thread. Few limbs are not zero as a rule, and those are
/// rounded alone.
template <class R>
__device__ R round_by_warp(const superaccumulator& sum, bool mean, std::int64_t n) {
  constexpr int few = 12;
  int low = superaccumulator::limbs, top = 0;
  for (int i = lane_id(); i < superaccumulator::limbs; i += 32)
    if (sum.limb[i] != 0) {
      low = min(low, i);
      top = i + 1;
    }
  low = __reduce_min_sync(whole_warp, low);
  top = __reduce_max_sync(whole_warp, top);
  if (mean && n == 0) return special_value<R>(not_a_number);
  if (sum.special || top - low > few - 2) return mean ? round_mean<R>(sum, n).value : round<R>(sum).value;
  long_integer<few, superaccumulator::low_bit> part{};
  for (int i = 0; i < few; ++i) part.limb[i] = low + i < top ? sum.limb[low + i] : 0;
  const magnitude<few, superaccumulator::low_bit> m(part);
  front f = mean ? quotient_front(m, static_cast<std::uint64_t>(n)) : front_of(m);
  f.exponent += 32 * low;
  return round_front<R>(f).value;
}

/// Writes the outcome, by all threads of a block.
template <class T>
__device__ void write_exact(superaccumulator& sum, std::int64_t n, const outcome_place& place) {
  const auto finish = [&]<class R>(bool mean) {
    const bool join = place.has_init && n > 0;
    if (threadIdx.x == 0 && join) add(sum, *reinterpret_cast<const R*>(place.init));
    __syncwarp();
    // Of no elements there is no zero whose sign could count.
    const R r = place.has_init && !join ? *reinterpret_cast<const R*>(place.init) : round_by_warp<R>(sum, mean, n);
    if (threadIdx.x == 0) *static_cast<R*>(place.out) = r;
  };
  if (place.finish) {
    if (threadIdx.x >= 32) return;
    if (place.operation == operation_index<op::mean>)
      finish.template operator()<result_of<op::mean, T>>(true);
    else
      finish.template operator()<result_of<op::sum, T>>(false);
    return;
  }
  const auto* const word = reinterpret_cast<const std::uint32_t*>(&sum);
  for (int i = static_cast<int>(threadIdx.x); i < words<superaccumulator>::count; i += static_cast<int>(blockDim.x)) {
    if (place.mail)
      static_cast<volatile std::uint64_t*>(place.out)[i] = std::uint64_t{place.mail} << 32 | word[i];
    else
      static_cast<std::uint32_t*>(place.out)[i] = word[i];
  }
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
