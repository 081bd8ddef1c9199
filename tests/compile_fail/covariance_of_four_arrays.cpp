// A covariance of elements that are computed of four arrays.
// says: onefold: statistics of computed elements take those of up to three arrays in all
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<double>& x) {
  const auto product = [](double a, double b) { return a * b; };
#ifdef ONEFOLD_MISTAKE
  return onefold::covariance(onefold::mapped(product, x, x), onefold::mapped(product, x, x));
#else
  return onefold::covariance(onefold::mapped(product, x, x), x);
#endif
}
