// The root of a product that may be beyond f64 where its root is not.
#pragma once

#include <cmath>

namespace onefold::detail {

/// sqrt(a b) of positive finite numbers: the rounded root of the rounded product, as if there were no largest or
/// smallest number. It is a for a = b.
inline double root_of_product(double a, double b) {
  int of_a, of_b;
  double fractions = std::frexp(a, &of_a);
  fractions *= std::frexp(b, &of_b);
  const int twice = of_a + of_b, odd = twice % 2;
  return std::ldexp(std::sqrt(std::ldexp(fractions, odd)), (twice - odd) / 2);
}

}  // namespace onefold::detail
