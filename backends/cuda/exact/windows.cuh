// How a warp adds elements to an exact sum: by windows of biased additions in registers, which spill into a
// superaccumulator in shared memory.
//
// A *window* is a few f64 a thread, M0 = 1.5 * 2^K, M1 = 1.5 * 2^(K - 43), ... at first. An element is added to M0,
// what was rounded away, exactly (Dekker 1971), to M1, and so on. While M stays in its binade, its bits are the sum as
// an integer in units of its last place: they leave for the superaccumulator as one 64-bit integer a warp. Demmel &
// Nguyen (2013, "Fast reproducible floating-point summation") have these biased additions.
//
// Most elements take two levels, placed by the largest element of a batch. A batch that is too large for its window, or
// leaves something below the last level, is done again in a window of its own; failing that, in a window over the
// whole range of its type, or for f64, where that would take 49 levels, in bins in shared memory.
#pragma once

#include "exact/bins.cuh"
#include "exact/strip.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Warps of a block, 2 blocks to a multiprocessor: for f64 as many as leave enough of its memory to the first-level
/// cache, through which all loads come, beside their bins (of 8, uniform data take 3 % longer).
template <class T>
inline constexpr int exact_warps = sizeof(T) == 8 ? 7 : 8;

// ---- windows -----------------------------------------------------------------------------------------------

inline constexpr int exact_headroom = 10;                        ///< elements are below 2^(K - 10): 2^8 of them fit
inline constexpr int exact_step = 53 - exact_headroom;           ///< from a level's exponent to the next one's
inline constexpr int exact_most_k = 1022, exact_least_k = -979;  ///< M0 is finite, M1's last place 2^-1074 or more

/// The field of the exponent; the largest is that of infinities and NaN.
template <class T>
struct exponent_field {
  static constexpr int bias = format_of<T>::bias, most = 2 * bias + 1;
};

/// A warp's window; K is the same in all of its threads.
template <class T, int Levels>
class exact_window {
 public:
  /// Places the window for elements of up to this exponent field.
  __device__ void open(int field) {
    k_ = field - exponent_field<T>::bias + 1 + exact_headroom;
    k_ = min(max(k_, exact_least_k), exact_most_k);
    reset();
  }
  __device__ bool is_open() const { return k_ != closed; }

  /// Adds a thread's elements, `Checked` only if in all threads they are small enough and leave nothing.
  template <bool Checked>
  __device__ bool add(const exact_strip<T>& batch) {
    double m[Levels];
#pragma unroll
    for (int l = 0; l < Levels; ++l) m[l] = m_[l];
    bool left = false;
    std::uint32_t largest = 0;
    batch.each([&](storage_t<T> e) {
      if constexpr (Checked) largest = max(largest, exact_strip<T>::size_of(e));
      double x = exact_strip<T>::value(e);
#pragma unroll
      for (int l = 0; l < Levels; ++l) {
        const double q = m[l] + x;
        if (Checked || l + 1 < Levels) x -= q - m[l];
        m[l] = q;
      }
      if constexpr (Checked) left |= x != 0;
    });
    if constexpr (Checked)
      if (__any_sync(whole_warp, left || exact_strip<T>::exponent_of(largest) >= limit_)) return false;
#pragma unroll
    for (int l = 0; l < Levels; ++l) m_[l] = m[l];
    added_ += batch.count;
    return true;
  }

  /// What the warp has added, in units of 2^unit(), in each of its threads.
  __device__ int128 sum() const requires(Levels == 2) {
    std::int64_t sums[Levels];
#pragma unroll
    for (int l = 0; l < Levels; ++l) sums[l] = sum_of(l);
    return (static_cast<int128>(sums[0]) << exact_step) + sums[1];
  }
  __device__ int unit() const { return k_ - (Levels - 1) * exact_step - 52; }

  /// So many elements of a thread fit.
  static constexpr int most = 1 << (exact_headroom - 2);

  /// Makes room for a batch more.
  template <int Copies>
  __device__ void make_room(shared_accumulator<Copies>& to) {
    if (added_ + exact_strip<T>::count > most) flush(to);
  }
  /// Moves what was added into the superaccumulator.
  template <int Copies>
  __device__ void flush(shared_accumulator<Copies>& to) {
    if (added_ == 0) return;
#pragma unroll
    for (int l = 0; l < Levels; ++l) {
      const std::int64_t sum = sum_of(l);
      if (lane_id() == 0) to.deposit_apart(sum, k_ - l * exact_step - 52 - superaccumulator::low_bit);
    }
    reset();
  }

 private:
  /// What the warp has added to a level, in each of its threads.
  __device__ std::int64_t sum_of(int level) const {
    std::int64_t sum = __double_as_longlong(m_[level]) - __double_as_longlong(biased(level));
#pragma unroll
    for (int bit = 16; bit > 0; bit /= 2) sum += __shfl_xor_sync(whole_warp, sum, bit);
    return sum;
  }
  __device__ double biased(int level) const {
    return 1.5 * __longlong_as_double(static_cast<std::int64_t>(k_ - level * exact_step + 1023) << 52);
  }
  __device__ void reset() {
#pragma unroll
    for (int l = 0; l < Levels; ++l) m_[l] = biased(l);
    limit_ = min(k_ - exact_headroom + exponent_field<T>::bias, exponent_field<T>::most);
    added_ = 0;
  }

  static constexpr int closed = 0x7fffffff;
  double m_[Levels];
  int k_ = closed, limit_, added_ = 0;
};

/// The levels of a window over all finite elements of T; 0: too many.
template <class T>
inline constexpr int full_levels = 0;
template <class T>
requires(sizeof(T) < 8) inline constexpr int full_levels<T> =
    1 + (format_of<T>::bias + 1 + exact_headroom - 52 - format_of<T>::lowest + exact_step - 1) / exact_step;

// ---- a warp's work -----------------------------------------------------------------------------------------

/// Bins hold what no window over the whole range does.
template <class T>
inline constexpr bool has_bins = full_levels<T> == 0;

/// Adds strips by the cheapest way that holds them.
template <class T>
class exact_in_windows {
  static constexpr int whole_range = full_levels<T>;
  static constexpr bool always_whole = whole_range == 1;

 public:
  using element = T;
  using total = superaccumulator;
  using block = shared_accumulator<has_bins<T> ? 4 : 8>;
  static constexpr int warps = exact_warps<T>;
  /// Bytes of shared memory of a warp: its strip, or its bins in the same place.
  static constexpr int bytes = has_bins<T> ? exact_bins::bytes : exact_strip<T>::bytes;
  static constexpr bool may_bin = has_bins<T>;

  __device__ exact_in_windows(block& total, uint4* memory) : total_(total), bins_{reinterpret_cast<double*>(memory)} {
    if constexpr (whole_range > 0) whole_.open(exponent_field<T>::most - 1);
  }

  __device__ void add(const exact_strip<T>& batch) {
    if (always_whole || skip_ > 0) {
      --skip_;
      return add_any(batch);
    }
    window_.make_room(total_);
#pragma unroll 1
    for (bool is_new = false;; is_new = true) {
      if (window_.is_open() && window_.template add<true>(batch)) {
        if (!is_new) failures_ = 0;
        return;
      }
      if (is_new) break;
      // Three binades to spare: the next batches may have larger elements.
      window_.flush(total_);
      window_.open(min(__reduce_max_sync(whole_warp, batch.largest()), exponent_field<T>::most - 1) + 3);
    }
    if (failures_ < 6) ++failures_;
    skip_ = 1 << failures_;
    add_any(batch);
  }

  /// Whether strips go into the bins for a while; then there is no room for them in shared memory.
  __device__ bool uses_bins() const { return has_bins<T> && skip_ > 0; }
  __device__ void add(const exact_load<T>& batch) {
    if (binned_ + exact_strip<T>::count >= exact_bins::most) {
      bins_.flush(total_);
      bins_.clear();
      binned_ = 0;
    }
    binned_ += exact_strip<T>::count;
#pragma unroll
    for (int r = 0; r < strip_rows; ++r)
#pragma unroll
      for (int c = 0; c < exact_load<T>::K; ++c) {
        const auto x = __builtin_bit_cast(T, batch.x[r].e[c]);
        if (exact_strip<T>::exponent_of(exact_strip<T>::size_of(x)) < exponent_field<T>::most) [[likely]]
          bins_.add(x);
        else
          total_.add(x);
      }
    if (--skip_ == 0) bins_.flush(total_);
  }
  __device__ void finish() {
    if (uses_bins()) bins_.flush(total_);
    window_.flush(total_);
    if constexpr (whole_range > 0) whole_.flush(total_);
  }

 private:
  /// Adds whatever elements there are.
  __device__ void add_any(const exact_strip<T>& batch) {
    if constexpr (has_bins<T>) {
      const exact_load<T> elements = batch.taken();
      __syncwarp();
      bins_.clear();
      binned_ = 0;
      skip_ *= 16;
      add(elements);
    } else {
      whole_.make_room(total_);
      if (__all_sync(whole_warp, batch.largest() < exponent_field<T>::most))
        whole_.template add<false>(batch);
      else
#pragma unroll 1
        for (int i = 0; i < batch.count; ++i) total_.add(__builtin_bit_cast(T, batch.at(i)));
    }
  }

  block& total_;
  exact_window<T, 2> window_;
  exact_window<T, whole_range ? whole_range : 1> whole_;
  exact_bins bins_;
  int binned_ = 0;  ///< elements that a thread has added to its bins
  int skip_ = 0, failures_ = 0;
};

/// Adds strips in integers alone, for devices whose f64 units are few: the bits are the same.
template <class T>
class exact_in_integers {
 public:
  using element = T;
  using total = superaccumulator;
  using block = shared_accumulator<32>;  // elements of one size do not meet within a warp
  static constexpr int warps = exact_warps<T>;
  static constexpr int bytes = exact_strip<T>::bytes;
  static constexpr bool may_bin = false;

  __device__ exact_in_integers(block& total, uint4*) : total_(total) {}
  __device__ void add(const exact_strip<T>& batch) {
    batch.template each<1>([&](storage_t<T> e) { total_.add(__builtin_bit_cast(T, e)); });
  }
  __device__ void finish() {}

 private:
  block& total_;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
