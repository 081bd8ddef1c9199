// A function of two values that is not const.
// says: onefold: reduce takes an initial value, and then a function that combines two values of its type, changes neither, and is const: write reduce(x, 0.0, f)
#include <vector>

#include "onefold/custom.hpp"
#include "onefold/onefold.hpp"

auto f(const std::vector<double>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::reduce(x, 0.0, [calls = 0](double a, double b) mutable { return ++calls, a + b; });
#else
  return onefold::reduce(x, 0.0, [](double a, double b) { return a + b; });
#endif
}
