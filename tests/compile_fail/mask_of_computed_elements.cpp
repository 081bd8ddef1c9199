// A mask of what a function computes.
// says: onefold: a mask selects elements in memory: store those that a function computes or that lie apart in a std::vector first, or give the function the mask, too: sum(x, mask, f)
#include <cstdint>
#include <vector>

#include "onefold/onefold.hpp"

double square(double);

auto f(const std::vector<double>& x, const std::vector<std::uint8_t>& mask) {
#ifdef ONEFOLD_MISTAKE
  return onefold::sum(onefold::where(onefold::mapped(square, x), mask));
#else
  return onefold::sum(onefold::where(x, mask));
#endif
}
