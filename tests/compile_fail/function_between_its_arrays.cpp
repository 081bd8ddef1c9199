// A function between its arrays.
// says: onefold: the function stands before its arrays or after them: write mapped(f, x, y) or mapped(x, y, f)
#include <vector>

#include "onefold/onefold.hpp"

const auto product = [](double a, double b) { return a * b; };

auto f(const std::vector<double>& x, const std::vector<double>& y) {
#ifdef ONEFOLD_MISTAKE
  return onefold::map_reduce<onefold::op::sum>(x, product, y);
#else
  return onefold::map_reduce<onefold::op::sum>(x, y, product);
#endif
}
