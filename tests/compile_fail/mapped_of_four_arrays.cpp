// Computed elements of four arrays.
// says: onefold: a function takes elements of up to three arrays: store what a function returns for two of them
#include <vector>

#include "onefold/onefold.hpp"

double f4(double, double, double, double);
double f3(double, double, double);

auto f(const std::vector<double>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::sum(onefold::mapped(f4, x, x, x, x));
#else
  return onefold::sum(onefold::mapped(f3, x, x, x));
#endif
}
