// A function of two values without an initial value.
// says: onefold: reduce takes an initial value and a function of two: write reduce(x, 0.0, f)
#include <functional>
#include <vector>

#include "onefold/custom.hpp"
#include "onefold/onefold.hpp"

auto f(const std::vector<double>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::reduce(x, std::plus<>{});
#else
  return onefold::reduce(x, 0.0, std::plus<>{});
#endif
}
