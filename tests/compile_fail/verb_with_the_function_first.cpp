// A function before its array.
// says: onefold: a verb takes the array first: write sum(x, f), and of two arrays sum(x, y, f)
#include <vector>

#include "onefold/onefold.hpp"

double square(double);

auto f(const std::vector<double>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::sum(square, x);
#else
  return onefold::sum(x, square);
#endif
}
