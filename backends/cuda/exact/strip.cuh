// Elements on their way from global memory, as all exact sums take them: the next strip in registers while the one
// before is added from shared memory.
#pragma once

#include "onefold/detail/cuda/warp_lanes.cuh"
#include "onefold/detail/folds/sum.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// A thread's elements of a strip, 16 bytes of each row, in registers: on their way while the strip before is added.
template <class T>
struct exact_load {
  using stored = storage_t<T>;
  static constexpr int K = 16 / static_cast<int>(sizeof(T)), lanes = 32 * K;
  neighbors<stored, K> x[strip_rows];

  /// The strip at `from`, of which `left` elements exist; zero stands for the others.
  template <class Elements>
  __device__ void start(const Elements& from, std::int64_t left, bool aligned) {
    const auto p = from + lane_id() * K;
    if (aligned && left >= strip_rows * lanes) [[likely]] {
#pragma unroll
      for (int r = 0; r < strip_rows; ++r) x[r] = detail::neighbors_at<K>(p, r * lanes);
    } else {
#pragma unroll
      for (int r = 0; r < strip_rows; ++r)
#pragma unroll
        for (int c = 0; c < K; ++c)
          x[r].e[c] = lane_id() * K + r * lanes + c < left ? stored_at(p, r * lanes + c) : stored{};
    }
  }
  /// The strip that begins with element `first` of `n` elements that may lie apart: element(i) is the i-th one.
  template <class Element>
  __device__ void gather(const Element& element, std::int64_t first, std::int64_t n) {
#pragma unroll
    for (int r = 0; r < strip_rows; ++r)
#pragma unroll 1
      for (int c = 0; c < K; ++c) {
        const std::int64_t i = first + lane_id() * K + r * lanes + c;
        x[r].e[c] = i < n ? element(i) : stored{};
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

  /// Calls f(element) for each; the code for Rows of them stands beside each other.
  template <int Rows = strip_rows, class Function>
  __device__ void each(const Function& f) const {
#pragma unroll(Rows)
    for (int r = 0; r < strip_rows; ++r) {
      neighbors<stored, K> x;
      memcpy(&x, own + 32 * r, sizeof x);
#pragma unroll
      for (int c = 0; c < K; ++c) f(x.e[c]);
    }
  }

  /// The same by number, for code that is not to be repeated for each.
  __device__ stored at(int i) const { return reinterpret_cast<const stored*>(own + 32 * (i / K))[i % K]; }

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

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
