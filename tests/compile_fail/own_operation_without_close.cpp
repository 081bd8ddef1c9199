// Traits that name a total need close, which makes it.
// says: onefold: an operation whose traits name a total needs close(state) and combine(total, total)
#include "onefold/custom.hpp"

struct total {
  using state = float;
  struct traits : onefold::fold_traits {
    using total = double;
  };
  static constexpr state identity() { return 0; }
  static constexpr state lift(float x) { return x; }
  static constexpr state combine(state a, state b) { return a + b; }
  static constexpr double combine(double a, double b) { return a + b; }
#ifndef ONEFOLD_MISTAKE
  static constexpr double close(state s) { return s; }
#endif
  static constexpr double finish(double s) { return s; }
};

auto f(std::span<const float> data) { return onefold::reduce<float, total>(data); }
