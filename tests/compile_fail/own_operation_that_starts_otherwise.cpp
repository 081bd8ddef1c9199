// The state of an initial value is a state.
// says: onefold: an optional function returns what its contract says
#include "onefold/custom.hpp"

struct total {
  using state = float;
#ifdef ONEFOLD_MISTAKE
  static constexpr int start(float init) { return static_cast<int>(init); }
#else
  static constexpr state start(float init) { return init; }
#endif
  static constexpr state identity() { return 0; }
  static constexpr state lift(float x) { return x; }
  static constexpr state combine(state a, state b) { return a + b; }
  static constexpr float finish(state s) { return s; }
};

auto f(std::span<const float> data) { return onefold::reduce<float, total>(data); }
