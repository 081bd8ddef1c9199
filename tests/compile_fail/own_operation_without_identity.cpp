// An operation of the caller's own needs an identity.
// says: onefold: an operation needs identity(): the state s with combine(identity(), s) == s
#include "onefold/custom.hpp"

struct counts {
  using state = long;
#ifndef ONEFOLD_MISTAKE
  static constexpr state identity() { return 0; }
#endif
  static constexpr state lift(float) { return 1; }
  static constexpr state combine(state a, state b) { return a + b; }
  static constexpr long finish(state s) { return s; }
};

auto f(std::span<const float> data) { return onefold::reduce<float, counts>(data); }
