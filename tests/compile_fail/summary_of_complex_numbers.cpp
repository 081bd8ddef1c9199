// A summary of complex numbers.
// says: onefold: a summary takes numbers: of structs name a member, summary(orders, &order::price), and of complex numbers take a part, summary(x, f)
#include <complex>
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<std::complex<double>>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::summary(x);
#else
  return onefold::summary(x, [](const std::complex<double>& z) { return z.real(); });
#endif
}
