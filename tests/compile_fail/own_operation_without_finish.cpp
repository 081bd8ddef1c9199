// An operation of the caller's own needs a finish.
// says: onefold: an operation needs finish(state) or finish(state, n): the result
#include "onefold/custom.hpp"

struct counts {
  using state = long;
  static constexpr state identity() { return 0; }
  static constexpr state lift(float) { return 1; }
  static constexpr state combine(state a, state b) { return a + b; }
#ifndef ONEFOLD_MISTAKE
  static constexpr long finish(state s) { return s; }
#endif
};

auto f(std::span<const float> data) { return onefold::reduce<float, counts>(data); }
