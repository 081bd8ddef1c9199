// An operation of the caller's own names the type of its state.
// says: onefold: an operation needs state: the type that lift and combine return
#include "onefold/custom.hpp"

struct counts {
#ifndef ONEFOLD_MISTAKE
  using state = long;
#endif
  static constexpr long identity() { return 0; }
  static constexpr long lift(float) { return 1; }
  static constexpr long combine(long a, long b) { return a + b; }
  static constexpr long finish(long s) { return s; }
};

auto f(std::span<const float> data) { return onefold::reduce<float, counts>(data); }
