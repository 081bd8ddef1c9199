// The first element of which something holds, asked for by a function.
// says: onefold: first(x, f) is f of the first element: for the first one of which f holds write first(where(x, mask)) with a byte for each element, or argmax(x, f), which is its index; likewise last
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<double>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::first(x, [](double a) { return a > 1; });
#else
  return onefold::first(x, [](double a) { return a + 1; });
#endif
}
