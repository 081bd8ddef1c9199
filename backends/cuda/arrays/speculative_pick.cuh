// Extremes of f64 by one comparison an element.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "onefold/detail/cuda/warp_lanes.cuh"
#include "onefold/detail/folds/extrema.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The device's own minimum of f64 takes 10 instructions, and the registers of two loads.
struct speculative_pick_of_f64 {
  static constexpr bool exists = true;
  /// Orders elements by size, infinities and NaN last.
  __device__ static std::uint32_t size(double x) { return static_cast<std::uint32_t>(__double2hiint(x)) & 0x7fffffffu; }
  __device__ static bool are_finite(std::uint32_t largest) { return largest < 0x7ff00000u; }
};
template <side Side, bool NanWins>
struct speculative_pick<extreme_fold<double, Side, NanWins>> : speculative_pick_of_f64 {
  __device__ static plain<double> push(plain<double> a, double x) { return {pick<Side>(a.s, x)}; }
  __device__ static bool is_valid(plain<double> s, std::uint32_t largest) { return are_finite(largest) && s.s != 0; }
};
template <>
struct speculative_pick<minmax_fold<double>> : speculative_pick_of_f64 {
  using state = minmax_result<double>;
  __device__ static state push(state a, double x) { return {pick<side::low>(a.min, x), pick<side::high>(a.max, x)}; }
  __device__ static bool is_valid(state s, std::uint32_t largest) {
    return are_finite(largest) && s.min != 0 && s.max != 0;
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
