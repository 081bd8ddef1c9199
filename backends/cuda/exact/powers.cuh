// How a warp adds elements and their squares to exact sums: by windows for both (windows.cuh has what a window
// is), and where they do not hold a strip, element by element in integers.
//
// A square up to f32 is added to a level by one fma, q = x^2 + M, and another one has what was rounded away. A square
// of f64 is the sum of two f64, of which the lower one begins at the second level.
//
// Both windows are placed by the largest element of a strip. What is after the last levels is not looked at: the
// smallest element says that it is nothing, which takes no f64 units.
#pragma once

#include "exact/windows.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

// ---- windows -----------------------------------------------------------------------------------------------

/// The levels for elements and for squares, which hold elements of about as many exponents: f16 of all, others of some
/// 30 to 40.
template <class T>
struct power_levels {
  static constexpr int sums = is_small_float<T> ? 1 : 2;
  static constexpr int squares = is_small_float<T> ? 2 : sizeof(T) == 4 ? 3 : 4;
  static constexpr int spare = __is_same(T, f16) ? 30 : 3;  ///< binades: the next strips may have larger elements

  /// A window at K for elements has squares at 2 K - headroom, and whole elements of 2^(K - depth) and more.
  static constexpr int below_bit = format_of<T>::precision - 1;
  static constexpr int depth_of_sums = (sums - 1) * exact_step + 52 - below_bit;
  static constexpr int depth_of_squares = (exact_headroom + (squares - 1) * exact_step + 52) / 2 - below_bit;
  static constexpr int depth = depth_of_sums < depth_of_squares ? depth_of_sums : depth_of_squares;

  /// The first level of squares is finite, and the last place of the last one 2^-1074 or more.
  static constexpr int most_k = (1022 + exact_headroom) / 2;
  static constexpr int least_k = (-1074 + 52 + (squares - 1) * exact_step + exact_headroom + 1) / 2;
};

/// A warp's windows; K is the same in all of its threads.
template <class T>
class power_window {
  using levels = power_levels<T>;

 public:
  /// Places the windows for elements of up to this exponent field.
  __device__ void open(int field) {
    k_ = field - exponent_field<T>::bias + 1 + exact_headroom;
    k_ = min(max(k_, levels::least_k), levels::most_k);
    reset();
  }
  __device__ bool is_open() const { return k_ != closed; }

  /// Adds a thread's elements if those of all threads fit.
  __device__ bool add(const exact_strip<T>& batch) {
    double sum[levels::sums], square[levels::squares];
#pragma unroll
    for (int l = 0; l < levels::sums; ++l) sum[l] = sum_[l];
#pragma unroll
    for (int l = 0; l < levels::squares; ++l) square[l] = square_[l];
    std::uint32_t largest = 0, smallest = ~0u;
    batch.each([&](storage_t<T> e) {
      largest = max(largest, exact_strip<T>::size_of(e));
      smallest = min(smallest, below(e));
      const double x = exact_strip<T>::value(e);
      push<0>(sum, x);
      push_square(square, x);
    });
    const bool misfit =
        exact_strip<T>::exponent_of(largest) >= limit_ || exact_strip<T>::exponent_of(smallest) < floor_;
    if (__any_sync(whole_warp, misfit)) return false;
#pragma unroll
    for (int l = 0; l < levels::sums; ++l) sum_[l] = sum[l];
#pragma unroll
    for (int l = 0; l < levels::squares; ++l) square_[l] = square[l];
    added_ += batch.count;
    return true;
  }

  /// Makes room for a strip more: 2^8 elements, of which a level has two parts each at most, keep it in its binade.
  template <class Block>
  __device__ void make_room(Block& to) {
    if (added_ + exact_strip<T>::count > 1 << (exact_headroom - 2)) flush(to);
  }
  /// Moves what was added into the block's sums.
  template <class Block>
  __device__ void flush(Block& to) {
    if (added_ == 0) return;
    move(sum_, k_, to.sum, superaccumulator::low_bit);
    move(square_, of_squares(), to.squares, product_accumulator::low_bit);
    reset();
  }

 private:
  __device__ int of_squares() const { return 2 * k_ - exact_headroom; }
  __device__ static double biased(int k) {
    return 1.5 * __longlong_as_double(static_cast<std::int64_t>(k + 1023) << 52);
  }
  __device__ void reset() {
#pragma unroll
    for (int l = 0; l < levels::sums; ++l) sum_[l] = biased(k_ - l * exact_step);
#pragma unroll
    for (int l = 0; l < levels::squares; ++l) square_[l] = biased(of_squares() - l * exact_step);
    limit_ = min(k_ - exact_headroom + exponent_field<T>::bias, exponent_field<T>::most);
    floor_ = k_ - levels::depth + exponent_field<T>::bias;
    if (floor_ <= 1) floor_ = 0;  // subnormal elements have the digits of the smallest normal ones
    added_ = 0;
  }

  /// Orders elements by size, of which one that is a power of two may count as the next smaller one; 0 is the largest.
  __device__ static std::uint32_t below(storage_t<T> x) {
    std::uint32_t size = exact_strip<T>::size_of(x);
    if constexpr (sizeof(T) == 8) size |= __double2loint(x) != 0;
    return size - 1;
  }

  /// Adds x to the levels from First on, and exactly to the last one.
  template <int First, int Levels>
  __device__ static void push(double (&m)[Levels], double x) {
#pragma unroll
    for (int l = First; l < Levels; ++l) {
      const double q = m[l] + x;
      if (l + 1 < Levels) x -= q - m[l];
      m[l] = q;
    }
  }
  template <int Levels>
  __device__ static void push_square(double (&m)[Levels], double x) {
    if constexpr (sizeof(T) == 8) {
      const double high = x * x, low = __fma_rn(x, x, -high);
      double rest = high;
#pragma unroll
      for (int l = 0; l < 3; ++l) {  // `high` has no digits after the third
        const double q = m[l] + rest;
        if (l < 2) rest -= q - m[l];
        m[l] = q;
      }
      push<1>(m, low);
    } else {
      const double q = __fma_rn(x, x, m[0]), rest = __fma_rn(x, x, m[0] - q);
      m[0] = q;
      push<1>(m, rest);
    }
  }

  /// Lane l moves level l.
  template <int Levels, class Integer>
  __device__ static void move(const double (&m)[Levels], int k, Integer& to, int low_bit) {
    std::int64_t mine = 0;
#pragma unroll
    for (int l = 0; l < Levels; ++l) {
      std::int64_t sum = __double_as_longlong(m[l]) - __double_as_longlong(biased(k - l * exact_step));
#pragma unroll
      for (int bit = 16; bit > 0; bit /= 2) sum += __shfl_xor_sync(whole_warp, sum, bit);
      if (lane_id() == l) mine = sum;
    }
    if (lane_id() < Levels) to.deposit(mine, k - lane_id() * exact_step - 52 - low_bit);
  }

  static constexpr int closed = 0x7fffffff;
  double sum_[levels::sums], square_[levels::squares];
  int k_ = closed, limit_, floor_, added_ = 0;
};

// ---- a warp's work -----------------------------------------------------------------------------------------

/// What the Adders of powers have in common.
template <class T>
struct power_adder_of {
  using element = T;
  using total = power_sums;
  using block = shared_powers<16>;
  static constexpr int warps = 8, bytes = exact_strip<T>::bytes;
  static constexpr bool may_bin = false;
};

/// Adds strips in integers alone, for devices whose f64 units are few, and what windows do not hold.
template <class T>
class powers_in_integers : public power_adder_of<T> {
 public:
  using typename power_adder_of<T>::block;
  __device__ powers_in_integers(block& total, uint4*) : total_(total) {}
  __device__ void add(const exact_strip<T>& batch) {
#pragma unroll 1
    for (int i = 0; i < exact_strip<T>::count; ++i) total_.add(__builtin_bit_cast(T, batch.at(i)));
  }
  __device__ void finish() {}

 private:
  block& total_;
};

/// Adds strips by windows where they hold them.
template <class T>
class powers_in_windows : public power_adder_of<T> {
 public:
  using typename power_adder_of<T>::block;
  __device__ powers_in_windows(block& total, uint4* memory) : total_(total), others_(total, memory) {}

  __device__ void add(const exact_strip<T>& batch) {
    if (skip_ > 0) {
      --skip_;
      return others_.add(batch);
    }
    window_.make_room(total_);
    // The code for a strip stands here once: twice it does not fit its cache (H200, 2^29 f16: 650 us instead of 410).
#pragma unroll 1
    for (int attempt = 0; attempt < 2; ++attempt) {
      if (attempt > 0 || !window_.is_open()) {
        window_.flush(total_);
        const int largest = __reduce_max_sync(whole_warp, batch.largest());
        window_.open(min(largest + power_levels<T>::spare, exponent_field<T>::most - 1));
      }
      if (window_.add(batch)) {
        failures_ = 0;
        return;
      }
    }
    if (failures_ < 6) ++failures_;
    skip_ = (1 << failures_) - 1;
    others_.add(batch);
  }
  __device__ void finish() { window_.flush(total_); }

 private:
  block& total_;
  power_window<T> window_;
  powers_in_integers<T> others_;
  int skip_ = 0, failures_ = 0;
};

/// Adds strips of integers: each thread in 64 bits, for 64-bit elements in 128 and 192.
template <class T>
class powers_of_integers : public power_adder_of<T> {
 public:
  using typename power_adder_of<T>::block;
  __device__ powers_of_integers(block& total, uint4*) : total_(total) {}

  __device__ void add(const exact_strip<T>& batch) {
    if constexpr (sizeof(T) == 8) {
      batch.template each<2>([&](T x) {
        sum_ += x;
        auto size = static_cast<std::uint64_t>(x);
        if constexpr (is_signed<T>) size = x < 0 ? -size : size;
        const uint128 square = static_cast<uint128>(size) * size;
        squares_ += square;
        carries_ += squares_ < square;
      });
    } else if constexpr (sizeof(T) == 4) {
      batch.template each<2>([&](T x) {
        const auto wide = static_cast<std::int64_t>(x);
        const auto square = static_cast<std::uint64_t>(wide) * static_cast<std::uint64_t>(wide);
        sum_ += wide;
        squares_ += square & low_word;
        carries_ += static_cast<std::int64_t>(square >> 32);
      });
    } else {  // a thread's part of a strip fits in fewer bits
      std::int32_t sum = 0;
      std::conditional_t<sizeof(T) == 1, std::uint32_t, std::uint64_t> squares = 0;
      batch.template each<2>([&](T x) {
        sum += x;
        squares += static_cast<std::uint32_t>(std::int32_t{x}) * static_cast<std::uint32_t>(std::int32_t{x});
      });
      sum_ += sum;
      squares_ += squares;
    }
  }
  __device__ void finish() {
    total_.sum.deposit_wide(static_cast<int128>(sum_), -superaccumulator::low_bit);
    total_.squares.deposit_wide(static_cast<uint128>(squares_), -product_accumulator::low_bit);
    total_.squares.deposit(carries_, carried_bit - product_accumulator::low_bit);
  }

 private:
  static constexpr int carried_bit = sizeof(T) == 8 ? 128 : 32;
  block& total_;
  // A thread has fewer than 2^31 elements.
  std::conditional_t<sizeof(T) == 8, int128, std::int64_t> sum_ = 0;
  std::conditional_t<sizeof(T) == 8, uint128, std::uint64_t> squares_ = 0;
  std::int64_t carries_ = 0;  ///< 2^carried_bit each
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
