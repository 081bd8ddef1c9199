// A function that takes elements by a reference that is not const.
// says: onefold: the function may change the elements, which are const here: make the member function const, or take elements by value or by a const reference
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<double>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::sum(onefold::mapped([](double& a, double) { return a; }, x, x));
#else
  return onefold::sum(onefold::mapped([](const double& a, double) { return a; }, x, x));
#endif
}
