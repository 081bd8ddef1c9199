// Exact sums of f64 elements of any size: bins in shared memory.
#pragma once

#include "exact/memory.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Sums of f64 elements of any size: each thread has f64 bins of its own in shared memory, 43 binary digits apart, to
/// which elements are added as to the levels of a window: an element takes three neighboring ones. Elements of 1 and
/// more have bins for themselves and are scaled, because the largest would overflow a bin.
struct exact_bins {
  static constexpr int headroom = 10, step = 53 - headroom;
  static constexpr int bank = (1077 + step - 1) / step;  ///< bins of small, and of large elements
  static constexpr int count = 2 * bank;
  static constexpr int most = 1 << (headroom - 1);  ///< fewer additions than that fit a bin
  static constexpr int scaled = 600;                ///< large elements times 2^-scaled
  static constexpr int bytes = 32 * count * 8;      ///< of a warp
  double* warp;                                     ///< the warp's bins: each has a word for each thread

  /// The exponent of bin i: it begins as 1.5 * 2^k, and its elements are below 2^(k - headroom).
  __device__ static int exponent(int i) {
    return i < bank ? max(headroom - step * i, -1022) : 1024 - scaled + headroom - step * (i - bank);
  }
  __device__ static double empty(int i) {
    return 1.5 * __longlong_as_double(static_cast<std::int64_t>(exponent(i) + 1023) << 52);
  }
  __device__ void clear() const {
#pragma unroll 1
    for (int i = 0; i < count; ++i) warp[32 * i + lane_id()] = empty(i);
  }
  /// Adds a finite x.
  __device__ void add(double x) const {
    const int field = __double2hiint(x) >> 20 & 0x7ff;
    const bool large = field >= 1023;
    if (large) x *= 0x1p-600;
    // The first bin that has room for it, of which the last two of a bank are not one.
    const int below = (large ? 2046 : 1022) - field;
    double* const bin = warp + lane_id() + 32 * (min(below / step, bank - 3) + (large ? bank : 0));
    double m[3];
#pragma unroll
    for (int l = 0; l < 3; ++l) m[l] = bin[32 * l];
#pragma unroll
    for (int l = 0; l < 3; ++l) {
      const double q = m[l] + x;
      x -= q - m[l];
      bin[32 * l] = q;
    }
  }
  /// Moves what the threads of a warp have added into the superaccumulator: a thread takes whole bins, and begins with
  /// its own word of them, for the sake of the banks.
  template <int Copies>
  __device__ void flush(shared_accumulator<Copies>& to) const {
    __syncwarp();
    for (int i = lane_id(); i < count; i += 32) {
      std::int64_t sum = -32 * __double_as_longlong(empty(i));
#pragma unroll 8
      for (int k = 0; k < 32; ++k) sum += __double_as_longlong(warp[32 * i + ((lane_id() + k) & 31)]);
      to.deposit(sum, exponent(i) + (i < bank ? 0 : scaled) - 52 - superaccumulator::low_bit);
    }
    __syncwarp();
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
