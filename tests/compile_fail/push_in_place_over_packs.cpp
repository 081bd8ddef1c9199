// Packs are handed over as values.
// says: onefold: push(state&, element), which returns nothing, belongs to an operation over one number type; over packs push(state, element) returns the state
#include "onefold/custom.hpp"

struct absolute_sum {
  template <class V>
  struct state {
    V s;
  };
  template <class V>
  static constexpr state<V> identity() {
    return {-V{}};
  }
  template <class V>
  static constexpr state<V> lift(V x) {
    return {x < 0 ? -x : x};
  }
#ifdef ONEFOLD_MISTAKE
  template <class V>
  static constexpr void push(state<V>& a, V x) {
    a.s += x < 0 ? -x : x;
  }
#else
  template <class V>
  static constexpr state<V> push(state<V> a, V x) {
    return {a.s + (x < 0 ? -x : x)};
  }
#endif
  template <class V>
  static constexpr state<V> combine(state<V> a, state<V> b) {
    return {a.s + b.s};
  }
  static constexpr float finish(state<float> a) { return a.s; }
};

auto f(std::span<const float> data) { return onefold::reduce<float, absolute_sum>(data); }
