// An operation of the caller's own needs a combine.
// says: onefold: an operation needs combine(state, state): the state of both
#include "onefold/custom.hpp"

struct counts {
  using state = long;
  static constexpr state identity() { return 0; }
  static constexpr state lift(float) { return 1; }
#ifndef ONEFOLD_MISTAKE
  static constexpr state combine(state a, state b) { return a + b; }
#endif
  static constexpr long finish(state s) { return s; }
};

auto f(std::span<const float> data) { return onefold::reduce<float, counts>(data); }
