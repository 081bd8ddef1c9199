// A verb with a function of two elements.
// says: onefold: a verb takes a function of one element: to reduce with a function of two write reduce(x, init, f), and of the elements of two arrays sum(x, y, f)
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<double>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::sum(x, [](double a, double b) { return a * b; });
#else
  return onefold::sum(x, [](double a) { return a * a; });
#endif
}
