// Functions of an operation in a .cu file are for the device too.
// says: calling a __host__ function("counts::lift(float)")
// says: needs_constexpr_functions
// errors: 4
#include "onefold/cuda.cuh"

struct counts {
  using state = long;
  static constexpr state identity() { return 0; }
#ifdef ONEFOLD_MISTAKE
  static state lift(float) { return 1; }
#else
  static constexpr state lift(float) { return 1; }
#endif
  static constexpr state combine(state a, state b) { return a + b; }
  static constexpr long finish(state s) { return s; }
};

auto f(std::span<const float> data) { return onefold::reduce<float, counts>(data); }
