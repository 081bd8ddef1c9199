// The skewness along an axis of elements that are computed of three arrays.
// says: onefold: along axes, covariances, correlations, skewness and kurtosis of computed elements take those of up to two arrays in all: write what the function returns to an array first
#include <vector>

#include "onefold/onefold.hpp"

auto f(const onefold::array_view<double>& x) {
  const auto product = [](double a, double b, double c) { return a * b * c; };
#ifdef ONEFOLD_MISTAKE
  return onefold::skewness(onefold::mapped(product, x, x, x), 0);
#else
  return onefold::skewness(onefold::mapped(product, x, x, x));
#endif
}
