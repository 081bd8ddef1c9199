// A correlation along an axis with elements that are computed of two arrays.
// says: onefold: along axes, covariances, correlations, skewness and kurtosis of computed elements take those of up to two arrays in all: write what the function returns to an array first
#include <vector>

#include "onefold/onefold.hpp"

auto f(const onefold::array_view<double>& x) {
  const auto product = [](double a, double b) { return a * b; };
#ifdef ONEFOLD_MISTAKE
  return onefold::correlation(onefold::mapped(product, x, x), x, 0);
#else
  return onefold::correlation(onefold::mapped(product, x, x), x);
#endif
}
