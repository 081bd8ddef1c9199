// A function of elements in a .cu file is for the device too.
// says: calling a __host__ function("twice::operator ()(float) const") from a __device__ function
// says: call_on_device
// errors: 2
#include "onefold/map_reduce.hpp"

#include "onefold/cuda.cuh"

struct twice {
#ifdef ONEFOLD_MISTAKE
  float operator()(float x) const { return 2 * x; }
#else
  constexpr float operator()(float x) const { return 2 * x; }
#endif
};

auto f(std::span<const float> data) { return onefold::map_reduce<onefold::op::sum>(twice{}, data); }
