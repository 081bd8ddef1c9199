// An operation that complex numbers do not have.
// says: onefold: complex numbers support sum, mean, product, sum_squares and norm2
#include <complex>
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<std::complex<float>>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::max(x);
#else
  return onefold::product(x);
#endif
}
