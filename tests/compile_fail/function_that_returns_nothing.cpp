// A function without a value.
// says: onefold: the function returns void: return an element to reduce
#include <vector>

#include "onefold/map_reduce.hpp"

auto f(const std::vector<float>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::map_reduce<onefold::op::max>([](float) {}, x);
#else
  return onefold::map_reduce<onefold::op::max>([](float a) { return a; }, x);
#endif
}
