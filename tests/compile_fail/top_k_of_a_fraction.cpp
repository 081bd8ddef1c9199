// A number of elements with a fraction.
// says: onefold: the number of elements is an integer: write top_k(x, 10)
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<double>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::nanbottom_k(x, 1.9);
#else
  return onefold::nanbottom_k(x, 1);
#endif
}
