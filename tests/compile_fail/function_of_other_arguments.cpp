// A function of one argument, and two arrays.
// says: onefold: the function cannot be called with one element of each array
#include <vector>

#include "onefold/map_reduce.hpp"

auto f(const std::vector<float>& x) {
  const auto square = [](float a) { return a * a; };
#ifdef ONEFOLD_MISTAKE
  return onefold::map_reduce<onefold::op::sum>(square, x, x);
#else
  return onefold::map_reduce<onefold::op::sum>(square, x);
#endif
}
