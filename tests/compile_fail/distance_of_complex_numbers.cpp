// A verb of vectors that complex numbers do not have.
// says: onefold: verbs of vectors take floating-point numbers and integers of up to 64 bits, and dot, norm1 and norm_inf complex numbers
#include <complex>
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<std::complex<double>>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::distance(x, x);
#else
  return onefold::dot(x, x);
#endif
}
