// Elements that are not found by their number.
// says: onefold: a function takes its elements from array_views or what one is made from, and from ranges with random access
#include <list>
#include <vector>

#include "onefold/map_reduce.hpp"

#ifdef ONEFOLD_MISTAKE
using numbers = std::list<float>;
#else
using numbers = std::vector<float>;
#endif

auto f(const numbers& x) {
  return onefold::map_reduce<onefold::op::sum>([](float a) { return a * a; }, x);
}
