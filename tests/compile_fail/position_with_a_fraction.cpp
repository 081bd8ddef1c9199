// A position with a fraction.
// says: onefold: a position is an integer: write nth_smallest(x, 10), or quantile(x, 0.1)
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<double>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::nth_smallest(x, 1.9);
#else
  return onefold::nth_smallest(x, 1);
#endif
}
