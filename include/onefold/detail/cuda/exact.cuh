// Exact sums on a device: windows of biased additions in registers, which spill into a superaccumulator in shared
// memory.
//
// A *window* is a few f64 a thread, M0 = 1.5 * 2^K, M1 = 1.5 * 2^(K - 43), ... at first. An element is added to M0,
// what was rounded away, exactly (Dekker 1971), to M1, and so on. While M stays in its binade, its bits are the sum as
// an integer in units of its last place: they leave for the superaccumulator as one 64-bit integer a warp. Demmel &
// Nguyen (2013, "Fast reproducible floating-point summation") have these biased additions.
//
// Most elements take two levels, placed by the largest element of a batch. A batch that is too large for its window, or
// leaves something behind the last level, is done again in a window of its own; failing that, in a window over the
// whole range of its type, or for f64, where that would take 49 levels, element by element.
#pragma once

#include "onefold/detail/cuda/exact_memory.cuh"
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
  exact_scratch* scratch;
  outcome_place place;

  __device__ std::int64_t count() const { return device_n ? min(max(*device_n, std::int64_t{0}), n) : n; }
};

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

  /// Makes room for a batch more.
  __device__ void make_room(shared_accumulator& to) {
    if (added_ + exact_strip<T>::count > 1 << (exact_headroom - 2)) flush(to);
  }
  /// Moves what was added into the superaccumulator.
  __device__ void flush(shared_accumulator& to) {
    if (added_ == 0) return;
#pragma unroll
    for (int l = 0; l < Levels; ++l) {
      std::int64_t sum = __double_as_longlong(m_[l]) - __double_as_longlong(biased(l));
#pragma unroll
      for (int bit = 16; bit > 0; bit /= 2) sum += __shfl_xor_sync(whole_warp, sum, bit);
      if (lane_id() == 0) to.deposit(sum, k_ - l * exact_step - 52 - superaccumulator::low_bit);
    }
    reset();
  }

 private:
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

/// Adds strips by the cheapest way that holds them.
template <class T>
class exact_warp {
  static constexpr int whole_range = full_levels<T>;
  static constexpr bool always_whole = whole_range == 1;

 public:
  __device__ explicit exact_warp(shared_accumulator& total) : total_(total) {
    if constexpr (whole_range > 0) whole_.open(exponent_field<T>::most - 1);
  }

  __device__ void add(const exact_strip<T>& batch) {
    if (always_whole || skip_ > 0) {
      --skip_;
      return add_any(batch);
    }
    window_.make_room(total_);
    if (window_.is_open() && window_.template add<true>(batch)) {
      failures_ = 0;
      return;
    }
    // Three binades to spare: the next batches may have larger elements.
    window_.flush(total_);
    window_.open(min(__reduce_max_sync(whole_warp, batch.largest()), exponent_field<T>::most - 1) + 3);
    if (window_.template add<true>(batch)) return;
    if (failures_ < 6) ++failures_;
    skip_ = 1 << failures_;
    add_any(batch);
  }
  __device__ void finish() {
    window_.flush(total_);
    if constexpr (whole_range > 0) whole_.flush(total_);
  }

 private:
  /// Adds whatever elements there are.
  __device__ void add_any(const exact_strip<T>& batch) {
    if constexpr (whole_range > 0) {
      whole_.make_room(total_);
      if (__all_sync(whole_warp, batch.largest() < exponent_field<T>::most)) {
        whole_.template add<false>(batch);
        return;
      }
    }
    batch.each([&](storage_t<T> e) { total_.add(__builtin_bit_cast(T, e)); });
  }

  shared_accumulator& total_;
  exact_window<T, 2> window_;
  exact_window<T, whole_range ? whole_range : 1> whole_;
  int skip_ = 0, failures_ = 0;
};

// ---- the kernel --------------------------------------------------------------------------------------------

template <class T>
__global__ void __launch_bounds__(32 * exact_warps, exact_blocks)
    fold_exact(const __grid_constant__ exact_arguments<T> a) {
  using strip = exact_strip<T>;
  __shared__ uint4 strips_memory[exact_warps * strip::words];
  __shared__ shared_accumulator block;
  __shared__ superaccumulator all;
  block.clear();
  __syncthreads();

  const std::int64_t n = a.count(), strips = (n + strip::elements - 1) / strip::elements;
  const auto* const data = reinterpret_cast<const storage_t<T>*>(a.data);
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const std::int64_t step = std::int64_t{gridDim.x} * exact_warps;
  const bool aligned = reinterpret_cast<std::uintptr_t>(a.data) % 16 == 0;
  const strip current{strips_memory + warp * strip::words + lane_id()};
  exact_load<T> next;
  exact_warp<T> mine(block);
  std::int64_t s = std::int64_t{blockIdx.x} * exact_warps + warp;
  if (s < strips) next.start(data + s * strip::elements, n - s * strip::elements, aligned);
  while (s < strips) {
    current.put(next);
    s += step;
    if (s < strips) next.start(data + s * strip::elements, n - s * strip::elements, aligned);
    mine.add(current);
  }
  mine.finish();
  __syncthreads();

  if (!collect(block, *a.scratch, all)) return;
  write_exact<T>(all, n, a.place);
}

template <class T>
int launch_exact(const device_launch& how) {
  const std::int64_t strips = (how.n + exact_strip<T>::elements - 1) / exact_strip<T>::elements;
  const exact_arguments<T> a{static_cast<const T*>(how.data), how.n, how.device_n,
                             static_cast<exact_scratch*>(how.slots), place_of(how)};
  cudaLaunchConfig_t config{};
  config.stream = how.stream;
  config.gridDim = dim3(static_cast<unsigned>(std::clamp<std::int64_t>((strips + exact_warps - 1) / exact_warps, 1,
                                                                       std::int64_t{exact_blocks} * how.processors)));
  config.blockDim = dim3(32 * exact_warps);
  return cudaLaunchKernelEx(&config, fold_exact<T>, a);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
