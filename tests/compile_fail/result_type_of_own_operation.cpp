// An operation of the caller's own returns what its finish returns, nothing else.
// says: onefold: an operation of your own returns what its finish returns
#include "onefold/custom.hpp"

struct counts {
  using state = long;
  static constexpr state identity() { return 0; }
  static constexpr state lift(float) { return 1; }
  static constexpr state combine(state a, state b) { return a + b; }
  static constexpr long finish(state s) { return s; }
};

#ifdef ONEFOLD_MISTAKE
using result = double;
#else
using result = long;
#endif

auto f(std::span<const float> data) { return onefold::reduce<float, counts, result>(data); }
