// A function of two values before the initial value.
// says: onefold: reduce takes an initial value, and then a function that combines two values of its type, changes neither, and is const: write reduce(x, 0.0, f)
#include <functional>
#include <vector>

#include "onefold/custom.hpp"
#include "onefold/onefold.hpp"

auto f(const std::vector<double>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::reduce(x, std::plus<>{}, 0.0);
#else
  return onefold::reduce(x, 0.0, std::plus<>{});
#endif
}
