// A type that is no operation.
// says: onefold: this is not an operation over the element type: an operation of your own has lift(element), combine, identity and finish
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
