// States are copied as bytes over library borders.
// says: onefold: a state must be trivially copyable
#include "onefold/custom.hpp"

struct counted {
  long n = 0;
#ifdef ONEFOLD_MISTAKE
  constexpr counted(const counted& other) : n(other.n) {}
  constexpr counted(long m) : n(m) {}
#endif
};

struct counts {
  using state = counted;
  static constexpr state identity() { return {0}; }
  static constexpr state lift(float) { return {1}; }
  static constexpr state combine(const state& a, const state& b) { return {a.n + b.n}; }
  static constexpr long finish(const state& s) { return s.n; }
};

auto f(std::span<const float> data) { return onefold::reduce<float, counts>(data); }
