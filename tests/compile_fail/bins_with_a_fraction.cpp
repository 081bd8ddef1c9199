// A histogram of bins that are no integer.
// says: onefold: the number of bins is an integer: write histogram(x, 10), or histogram(x, {0.0, 0.5, 1.0}) with the edges of the bins
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<double>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::histogram(x, 2.9);
#else
  return onefold::histogram(x, 3);
#endif
}
