// A reduction with a function of two values, without the header that compiles folds.
// says: onefold: not an operation of the catalog; for one of your own, include onefold/custom.hpp
#include <vector>

#include "onefold/onefold.hpp"

#ifndef ONEFOLD_MISTAKE
#include "onefold/custom.hpp"
#endif

auto f(const std::vector<double>& x) {
  return onefold::reduce(x, 1.0, [](double a, double b) { return a * b; });
}
