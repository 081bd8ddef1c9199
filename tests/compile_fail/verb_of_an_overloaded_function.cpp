// The name of several functions.
// says: onefold: a name of several functions, as std::sqrt, does not say which one of them takes the elements: write sum(x, [](double a) { return std::sqrt(a); })
#include <cmath>
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<double>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::sum(x, std::sqrt);
#else
  return onefold::sum(x, [](double a) { return std::sqrt(a); });
#endif
}
