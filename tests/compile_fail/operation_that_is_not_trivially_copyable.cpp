// A plan copies its operation.
// says: onefold: an operation must be trivially copyable
#include <vector>

#include "onefold/custom.hpp"

struct scaled {
  using state = double;
#ifdef ONEFOLD_MISTAKE
  std::vector<double> factors;
#endif
  static constexpr state identity() { return -0.0; }
  static constexpr state lift(float x) { return x; }
  static constexpr state combine(state a, state b) { return a + b; }
  static constexpr double finish(state s) { return s; }
};

auto f(std::span<const float> data) { return onefold::reduce<float, scaled>(data); }
