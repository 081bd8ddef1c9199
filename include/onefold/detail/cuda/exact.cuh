// Exact sums on a device: windows of biased additions in registers, which spill into a superaccumulator in shared memory.
//
// A *window* is two f64 a thread, M0 = 1.5 * 2^K and M1 = 1.5 * 2^(K - 43) at first. An element x is added to M0, what
// was rounded away, exactly (Dekker 1971), to M1, and what is then left must be 0. While M stays in its binade, the
// bits of M are the sum as an integer, in units of M's last place: they leave for the superaccumulator as one 64-bit
// integer a warp. Demmel & Nguyen (2013, "Fast reproducible floating-point summation") have these biased additions; the
// superaccumulator is that of the CPU. A batch of elements that is too large for the window, or leaves something, is
// done again: in a new window chosen from its largest element, and failing that, element by element.
#pragma once

#include "onefold/detail/cuda/outcome.cuh"
#include "onefold/operations/exact.hpp"

#include <algorithm>

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// What an exact launch is told.
template <class T>
struct exact_arguments {
  const T* data;
  std::int64_t n;
  const std::int64_t* device_n;
  superaccumulator* total;  ///< zero between launches
  unsigned* done;           ///< blocks that have added theirs; zero between launches
  outcome_place place;

  __device__ std::int64_t count() const { return device_n ? min(max(*device_n, std::int64_t{0}), n) : n; }
};

inline constexpr int exact_warps = 8;  ///< of a block

// ---- a superaccumulator in shared memory -------------------------------------------------------------------

/// The limbs of a superaccumulator, each in two words: 32-bit additions are atomic in hardware, 64-bit ones are not.
struct shared_accumulator {
  std::uint32_t low[superaccumulator::limbs], high[superaccumulator::limbs], special;

  __device__ void clear() {
    for (int i = static_cast<int>(threadIdx.x); i < superaccumulator::limbs; i += static_cast<int>(blockDim.x))
      low[i] = high[i] = 0;
    if (threadIdx.x == 0) special = 0;
  }
  __device__ std::int64_t limb(int i) const {
    return static_cast<std::int64_t>(std::uint64_t{high[i]} << 32 | low[i]);
  }

  /// Adds value * 2^(low_bit + bit), in pieces of 32 bits of value's sign.
  __device__ void deposit(std::int64_t value, int bit) {
    if (value == 0) return;
    const std::uint64_t size = static_cast<std::uint64_t>(value < 0 ? -value : value);
    const int i = bit >> 5, shift = bit & 31;
    const std::uint64_t lower = size << shift;
    piece(i, static_cast<std::uint32_t>(lower), value < 0);
    piece(i + 1, static_cast<std::uint32_t>(lower >> 32), value < 0);
    piece(i + 2, static_cast<std::uint32_t>(shift ? size >> (64 - shift) : 0), value < 0);
  }

 private:
  __device__ void piece(int i, std::uint32_t size, bool negative) {
    if (size == 0) return;
    const std::uint32_t word = negative ? 0u - size : size;
    const bool carry = atomicAdd(&low[i], word) + word < word;
    const std::uint32_t up = (negative ? 0xffffffffu : 0u) + carry;
    if (up) atomicAdd(&high[i], up);
  }
};

// ---- elements ----------------------------------------------------------------------------------------------

template <class T>
__device__ double exact_value(storage_t<T> x) {
  return static_cast<double>(warp_lanes<additive<T, typename accumulator<T>::type, plain>, T>::element(x));
}

/// The exponent's field, which orders the sizes of elements; the largest is that of infinities and NaN.
template <class T>
struct exponent_field {
  static constexpr int fraction_bits = format_of<T>::precision - 1, most = 2 * format_of<T>::bias + 1;
  __device__ static int of(storage_t<T> x) {
    return static_cast<int>(__builtin_bit_cast(typename format_of<T>::bits, x) >> fraction_bits) & most;
  }
};

/// The elements of a strip that one thread holds: by 16-byte loads, or one by one; zero where there are none.
template <class T>
struct exact_batch_of {
  using stored = storage_t<T>;
  static constexpr int K = 16 / static_cast<int>(sizeof(T)), lanes = 32 * K, count = strip_rows * K;
  static constexpr int elements = strip_rows * lanes;  ///< of the warp's strip
  neighbours<stored, K> x[strip_rows];

  __device__ void load(const stored* strip, std::int64_t left, bool aligned) {
    const stored* p = strip + lane_id() * K;
    if (aligned && left >= elements) [[likely]] {
#pragma unroll
      for (int r = 0; r < strip_rows; ++r) x[r] = neighbours<stored, K>::load(p + r * lanes);
    } else {
#pragma unroll
      for (int r = 0; r < strip_rows; ++r)
#pragma unroll
        for (int c = 0; c < K; ++c)
          x[r].e[c] = lane_id() * K + r * lanes + c < left ? p[r * lanes + c] : stored{};
    }
  }
  template <class Function>
  __device__ void each(const Function& f) const {
#pragma unroll
    for (int r = 0; r < strip_rows; ++r)
#pragma unroll
      for (int c = 0; c < K; ++c) f(x[r].e[c]);
  }
};

// ---- windows -----------------------------------------------------------------------------------------------

/// A warp's window. K is the same in all of its threads.
template <class T>
class exact_window {
 public:
  static constexpr int headroom = 10;              ///< elements are below 2^(K - 10): 2^8 of them fit
  static constexpr int step = 53 - headroom;       ///< from M0's exponent to M1's
  static constexpr int most = 1022, least = -979;  ///< of K: M0 is finite, M1's last place is 2^-1074 or more

  /// Adds a thread's elements; false, and nothing added, if one is too large or does not fit in any thread.
  __device__ bool add(const exact_batch_of<T>& batch, int largest) {
    double m0 = m0_, m1 = m1_;
    bool left = largest >= limit_;
    batch.each([&](storage_t<T> e) {
      const double x = exact_value<T>(e), q0 = m0 + x, x1 = x - (q0 - m0);
      m0 = q0;
      const double q1 = m1 + x1;
      left |= q1 - m1 != x1;
      m1 = q1;
    });
    if (__any_sync(whole_warp, left)) return false;
    m0_ = m0;
    m1_ = m1;
    added_ += batch.count;
    return true;
  }

  __device__ bool full() const { return added_ + exact_batch_of<T>::count > 1 << (headroom - 2); }

  /// Moves what was added into the superaccumulator.
  __device__ void flush(shared_accumulator& to) {
    if (added_ == 0) return;
    take(m0_, k_, to);
    take(m1_, k_ - step, to);
    open(k_);
  }

  /// A window for elements up to this exponent field, with three binades to spare.
  __device__ void choose(int field) {
    open(min(max(field - format_of<T>::bias + 1 + headroom + 3, least), most));
  }

 private:
  __device__ static double power(int e) {
    return __longlong_as_double(static_cast<std::int64_t>(e + 1023) << 52);
  }
  __device__ void open(int k) {
    k_ = k;
    m0_ = 1.5 * power(k);
    m1_ = 1.5 * power(k - step);
    limit_ = min(k - headroom + format_of<T>::bias, exponent_field<T>::most);
    added_ = 0;
  }
  __device__ static void take(double m, int k, shared_accumulator& to) {
    std::int64_t sum = __double_as_longlong(m) - __double_as_longlong(1.5 * power(k));
#pragma unroll
    for (int bit = 16; bit > 0; bit /= 2) sum += __shfl_xor_sync(whole_warp, sum, bit);
    if (lane_id() == 0) to.deposit(sum, k - 52 - superaccumulator::low_bit);
  }

  double m0_, m1_;
  int k_, limit_, added_ = 0;
};

/// Adds a warp's strips: in windows, or where those fail, element by element.
template <class T>
class exact_warp {
 public:
  __device__ explicit exact_warp(shared_accumulator& total) : total_(total) { window_.choose(0); }

  __device__ void add(const exact_batch_of<T>& batch) {
    if (skip_ > 0) {
      --skip_;
      return deposit_each(batch);
    }
    int largest = 0;
    batch.each([&](storage_t<T> e) { largest = max(largest, exponent_field<T>::of(e)); });
    if (window_.full()) window_.flush(total_);
    if (window_.add(batch, largest)) [[likely]]
      return;
    window_.flush(total_);
    window_.choose(__reduce_max_sync(whole_warp, largest));
    if (window_.add(batch, largest)) {
      failures_ = 0;
      return;
    }
    if (failures_ < 6) ++failures_;
    skip_ = 1 << failures_;
    deposit_each(batch);
  }
  __device__ void finish() { window_.flush(total_); }

 private:
  __device__ void deposit_each(const exact_batch_of<T>& batch) {
    constexpr int place = format_of<T>::lowest - superaccumulator::low_bit;
    for (int r = 0; r < strip_rows; ++r)
#pragma unroll
      for (int c = 0; c < batch.K; ++c) {
        const fields x = fields::of(__builtin_bit_cast(T, batch.x[r].e[c]));
        if (x.infinite || x.nan)
          atomicOr(&total_.special, x.nan ? not_a_number : x.negative ? negative_infinity : positive_infinity);
        total_.deposit(x.significand, x.shift + place);
      }
  }

  shared_accumulator& total_;
  exact_window<T> window_;
  int skip_ = 0, failures_ = 0;
};

// ---- the kernel --------------------------------------------------------------------------------------------

/// Writes the outcome, by all threads of a block.
template <class T>
__device__ void write_exact(superaccumulator& sum, std::int64_t n, const outcome_place& place) {
  using state_words = words<superaccumulator>;
  const auto* const word = reinterpret_cast<const std::uint32_t*>(&sum);
  if (place.finish) {
    if (threadIdx.x != 0) return;
    const auto finish = [&]<class Op>() {
      using Full = typename Op::template fold<T, accuracy::exact>;
      finish_as_result<exact_additive, T, result_of<Op, T>>(Full{}, sum, n, place);
    };
    if (place.operation == operation_index<op::mean>)
      finish.template operator()<op::mean>();
    else
      finish.template operator()<op::sum>();
    return;
  }
  for (int i = static_cast<int>(threadIdx.x); i < state_words::count; i += static_cast<int>(blockDim.x)) {
    if (place.mail)
      static_cast<volatile std::uint64_t*>(place.out)[i] = std::uint64_t{place.mail} << 32 | word[i];
    else
      static_cast<std::uint32_t*>(place.out)[i] = word[i];
  }
}

template <class T>
__global__ void __launch_bounds__(32 * exact_warps, XB) fold_exact(const __grid_constant__ exact_arguments<T> a) {
  using batch_of = exact_batch_of<T>;
  __shared__ shared_accumulator block;
  __shared__ superaccumulator all;
  __shared__ bool last;
  block.clear();
  __syncthreads();

  const std::int64_t n = a.count(), strips = (n + batch_of::elements - 1) / batch_of::elements;
  const auto* const data = reinterpret_cast<const storage_t<T>*>(a.data);
  const bool aligned = reinterpret_cast<std::uintptr_t>(a.data) % 16 == 0;
  exact_warp<T> mine(block);
  for (std::int64_t s = std::int64_t{blockIdx.x} * exact_warps + threadIdx.x / 32; s < strips;
       s += std::int64_t{gridDim.x} * exact_warps) {
    batch_of batch;
    batch.load(data + s * batch_of::elements, n - s * batch_of::elements, aligned);
    mine.add(batch);
  }
  mine.finish();
  __syncthreads();

  const int i = static_cast<int>(threadIdx.x);
  if (i < superaccumulator::limbs && block.limb(i) != 0)
    atomicAdd(reinterpret_cast<unsigned long long*>(&a.total->limb[i]), static_cast<unsigned long long>(block.limb(i)));
  if (i == superaccumulator::limbs && block.special) atomicOr(&a.total->special, block.special);
  __threadfence();
  __syncthreads();
  if (i == 0) last = atomicAdd(a.done, 1u) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;

  // Each thread takes a limb, and leaves it zero for the next launch.
  if (i < superaccumulator::limbs) all.limb[i] = static_cast<std::int64_t>(atomicExch(reinterpret_cast<unsigned long long*>(&a.total->limb[i]), 0ull));
  if (i == superaccumulator::limbs) {
    all.special = atomicExch(&a.total->special, 0u);
    // Not more deposits than two windows' for each element; where that is too many to say, the limbs are carried.
    all.deposits = static_cast<std::uint32_t>(min(2 * n + 2, std::int64_t{most_deposits}));
    *a.done = 0;
  }
  __syncthreads();
  if (i == 0 && all.deposits == most_deposits) carry(all);
  __syncthreads();
  write_exact<T>(all, n, a.place);
}

inline constexpr std::int64_t exact_slot_bytes = sizeof(superaccumulator) + 8;

template <class T>
int launch_exact(const device_launch& how) {
  const std::int64_t strips = (how.n + exact_batch_of<T>::elements - 1) / exact_batch_of<T>::elements;
  const exact_arguments<T> a{static_cast<const T*>(how.data),
                             how.n,
                             how.device_n,
                             static_cast<superaccumulator*>(how.slots),
                             reinterpret_cast<unsigned*>(static_cast<superaccumulator*>(how.slots) + 1),
                             place_of(how)};
  cudaLaunchConfig_t config{};
  config.stream = how.stream;
  config.gridDim = dim3(static_cast<unsigned>(
      std::clamp<std::int64_t>((strips + exact_warps - 1) / exact_warps, 1, std::int64_t{XB} * how.processors)));
  config.blockDim = dim3(32 * exact_warps);
  return cudaLaunchKernelEx(&config, fold_exact<T>, a);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
