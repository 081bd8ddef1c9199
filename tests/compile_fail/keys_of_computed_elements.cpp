// Values by key that a function computes.
// says: onefold: values by key are neighbors in memory: store those that a function computes or that lie apart, as the values of a member, in a std::vector first
#include <vector>

#include "onefold/onefold.hpp"

double square(double);

auto f(const std::vector<double>& x, const std::vector<int>& keys) {
#ifdef ONEFOLD_MISTAKE
  return onefold::sum(onefold::by_key(onefold::mapped(square, x), keys));
#else
  return onefold::sum(onefold::by_key(x, keys));
#endif
}
