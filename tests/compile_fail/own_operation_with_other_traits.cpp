// Traits that are not derived from fold_traits would be overlooked.
// says: onefold: an operation's facts belong in its traits
#include "onefold/custom.hpp"

struct last {
  using state = float;
#ifdef ONEFOLD_MISTAKE
  struct traits {
#else
  struct traits : onefold::fold_traits {
#endif
    static constexpr bool commutative = false;
  };
  static constexpr state identity() { return 0; }
  static constexpr state lift(float x) { return x; }
  static constexpr state combine(state a, state b) { return a + b; }
  static constexpr float finish(state s) { return s; }
};

auto f(std::span<const float> data) { return onefold::reduce<float, last>(data); }
