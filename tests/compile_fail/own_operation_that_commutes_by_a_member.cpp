// That an operation does not commute stands in its traits: a member of its own would be overlooked.
// says: onefold: an operation's facts belong in its traits
#include "onefold/custom.hpp"

struct last {
  using state = float;
#ifdef ONEFOLD_MISTAKE
  static constexpr bool commutative = false;
#else
  struct traits : onefold::fold_traits {
    static constexpr bool commutative = false;
  };
#endif
  static constexpr state identity() { return 0; }
  static constexpr state lift(float x) { return x; }
  static constexpr state combine(state, state b) { return b; }
  static constexpr float finish(state s) { return s; }
};

auto f(std::span<const float> data) { return onefold::reduce<float, last>(data); }
