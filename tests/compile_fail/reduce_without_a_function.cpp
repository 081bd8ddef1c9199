// An initial value, and no function of two values.
// says: onefold: reduce takes an initial value and a function of two: write reduce(x, 0.0, f), or sum(x, {.init = 0.0})
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<double>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::reduce(x, 0.5);
#else
  return onefold::sum(x, {.init = 0.5});
#endif
}
