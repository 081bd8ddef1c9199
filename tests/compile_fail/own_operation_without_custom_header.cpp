// The header for operations of the caller's own must be included.
// says: onefold: not an operation of the catalog; for one of your own, include onefold/custom.hpp
#ifdef ONEFOLD_MISTAKE
#include "onefold/onefold.hpp"
#else
#include "onefold/custom.hpp"
#endif

struct counts {
  using state = long;
  static constexpr state identity() { return 0; }
  static constexpr state lift(float) { return 1; }
  static constexpr state combine(state a, state b) { return a + b; }
  static constexpr long finish(state s) { return s; }
};

auto f(std::span<const float> data) { return onefold::reduce<float, counts>(data); }
