// A function before its arrays.
// says: onefold: a verb takes the array first: write sum(x, f), and of two arrays sum(x, y, f)
#include <vector>

#include "onefold/onefold.hpp"

const auto product = [](double a, double b) { return a * b; };

auto f(const std::vector<double>& x, const std::vector<double>& y) {
#ifdef ONEFOLD_MISTAKE
  return onefold::sum(product, x, y);
#else
  return onefold::sum(x, y, product);
#endif
}
