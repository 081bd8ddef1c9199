// A function whose values are no numbers, and an operation of the catalog.
// says: onefold: the operations of the catalog take f32, f64, f16, bf16, integers, bool and enumerations
#include <vector>

#include "onefold/map_reduce.hpp"

struct point {
  float x, y;
};

auto f(const std::vector<float>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::map_reduce<onefold::op::sum>([](float a) { return point{a, a}; }, x);
#else
  return onefold::map_reduce<onefold::op::sum>([](float a) { return point{a, a}.x; }, x);
#endif
}
