// An optional function that returns something else would be overlooked.
// says: onefold: an optional function returns what its contract says: absorbing a bool
#include "onefold/custom.hpp"

struct total {
  using state = float;
#ifdef ONEFOLD_MISTAKE
  static constexpr int absorbing(state s) { return s > 1e30f; }
#else
  static constexpr bool absorbing(state s) { return s > 1e30f; }
#endif
  static constexpr state identity() { return 0; }
  static constexpr state lift(float x) { return x; }
  static constexpr state combine(state a, state b) { return a + b; }
  static constexpr float finish(state s) { return s; }
};

auto f(std::span<const float> data) { return onefold::reduce<float, total>(data); }
