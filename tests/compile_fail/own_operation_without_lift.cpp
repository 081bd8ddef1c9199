// An operation of the caller's own needs a lift.
// says: onefold: an operation over the element type needs lift(element) or lift(element, index): its state
#include "onefold/custom.hpp"

struct counts {
  using state = long;
  static constexpr state identity() { return 0; }
#ifndef ONEFOLD_MISTAKE
  static constexpr state lift(float) { return 1; }
#endif
  static constexpr state combine(state a, state b) { return a + b; }
  static constexpr long finish(state s) { return s; }
};

auto f(std::span<const float> data) { return onefold::reduce<float, counts>(data); }
