// What exact sums keep in shared and global memory: a block's long integers, and the launch's.
#pragma once

#include "onefold/detail/cuda/words.cuh"
#include "onefold/detail/exact/moments.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

// ---- a block's ---------------------------------------------------------------------------------------------

/// A long integer in shared memory, to which all threads add. Each limb is two words, because additions of 32 bits are
/// atomic in hardware and those of 64 are not; and has several copies, by lane, because elements of similar size meet
/// in a few limbs.
template <class Total, int Copies>
struct shared_integer {
  static constexpr int copies = Copies, limbs = Total::limbs;
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
  /// The same, not inlined: for what comes once in many elements.
  __device__ __noinline__ void deposit_apart(std::int64_t value, int bit) { deposit(value, bit); }
  /// The same with an integer of 128 bits.
  template <class Wide>
  __device__ void deposit_wide(Wide x, int bit) {
    constexpr int part = 62;
    constexpr std::uint64_t mask = (std::uint64_t{1} << part) - 1;
    deposit(static_cast<std::int64_t>(x & mask), bit);
    deposit(static_cast<std::int64_t>(x >> part & mask), bit + part);
    deposit(static_cast<std::int64_t>(x >> 2 * part), bit + 2 * part);
  }

 private:
  __device__ static int at(int i) { return i * copies + lane_id() % copies; }
  __device__ std::int64_t total(int i) const {
    std::uint64_t sum = 0;
    for (int c = 0; c < copies; ++c) sum += std::uint64_t{high[i * copies + c]} << 32 | low[i * copies + c];
    return static_cast<std::int64_t>(sum);
  }
};

/// A block's sum of elements.
template <int Copies>
struct shared_accumulator : shared_integer<superaccumulator, Copies> {
  template <class T>
  __device__ void add(T x) {
    const fields f = fields::of(x);
    if (f.infinite || f.nan)
      atomicOr(&this->special, f.nan ? not_a_number : f.negative ? negative_infinity : positive_infinity);
    this->deposit(f.significand, f.shift + (format_of<T>::lowest - superaccumulator::low_bit));
  }
};

/// A block's sums of elements and of their squares.
template <int Copies>
struct shared_powers {
  shared_accumulator<Copies> sum;
  shared_integer<product_accumulator, Copies> squares;

  __device__ void clear() {
    sum.clear();
    squares.clear();
  }
  template <class T>
  __device__ void add(T x) {
    sum.add(x);
    const fields f = fields::of(x);
    if (f.infinite || f.nan) atomicOr(&squares.special, f.nan ? not_a_number : positive_infinity);
    const auto size = static_cast<std::uint64_t>(f.significand < 0 ? -f.significand : f.significand);
    const int bit = 2 * (f.shift + format_of<T>::lowest) - product_accumulator::low_bit;
    if constexpr (format_of<T>::precision <= 31)
      squares.deposit(static_cast<std::int64_t>(size * size), bit);
    else
      squares.deposit_wide(static_cast<uint128>(size) * size, bit);
  }
};

// ---- the launch's ------------------------------------------------------------------------------------------

/// A launch's sums, superaccumulator or power_sums, and how many blocks have added theirs; zero between launches.
template <class Total>
struct exact_scratch {
  Total total;
  unsigned done;
};

/// Calls f(a block's long integer, the same of each of `totals`, i) for the ones that a sum is made of. i is this
/// thread's limb; the one after the last is for what was not finite.
template <class Function, int Copies, class... Totals>
__device__ void each_integer(const Function& f, const shared_accumulator<Copies>& block, Totals&... totals) {
  f(block, totals..., static_cast<int>(threadIdx.x));
}
template <class Function, int Copies, class... Totals>
__device__ void each_integer(const Function& f, const shared_powers<Copies>& block, Totals&... totals) {
  constexpr int first = superaccumulator::limbs + 1;
  f(block.sum, totals.sum..., static_cast<int>(threadIdx.x));
  f(block.squares, totals.squares..., static_cast<int>(threadIdx.x) - first);
}

/// The sums of a block that has nothing to share.
template <class Block, class Total>
__device__ void collect(const Block& block, Total& all) {
  const auto take = [](const auto& mine, auto& to, int i) {
    if (i >= 0 && i < mine.limbs) to.limb[i] = mine.limb(i);
    if (i == mine.limbs) {
      to.special = mine.special;
      to.deposits = 2;  // of 2^32 at most, that is
    }
  };
  each_integer(take, block, all);
  __syncthreads();
}

/// Adds a block's sums to the launch's. In the last block that does, true, and `all` are the sums of all.
template <class Block, class Total>
__device__ bool collect(const Block& block, exact_scratch<Total>& scratch, Total& all) {
  using word = unsigned long long;
  __shared__ bool last;
  if (gridDim.x == 1) {
    collect(block, all);
    return true;
  }
  const auto give = [](const auto& mine, auto& total, int i) {
    if (i >= 0 && i < mine.limbs) {
      const std::int64_t own = mine.limb(i);
      if (own != 0) atomicAdd(reinterpret_cast<word*>(&total.limb[i]), static_cast<word>(own));
    }
    if (i == mine.limbs && mine.special) atomicOr(&total.special, mine.special);
  };
  each_integer(give, block, scratch.total);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(&scratch.done, 1u) == gridDim.x - 1;
  __syncthreads();
  if (!last) return false;
  const auto take = [](const auto& mine, auto& total, auto& to, int i) {
    if (i >= 0 && i < mine.limbs)
      to.limb[i] = static_cast<std::int64_t>(atomicExch(reinterpret_cast<word*>(&total.limb[i]), word{0}));
    if (i == mine.limbs) {
      to.special = atomicExch(&total.special, 0u);
      to.deposits = 2 * gridDim.x;  // as above
    }
  };
  each_integer(take, block, scratch.total, all);
  if (threadIdx.x == 0) scratch.done = 0;
  __syncthreads();
  return true;
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
