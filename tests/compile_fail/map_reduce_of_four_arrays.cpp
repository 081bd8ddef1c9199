// A function of four arrays.
// says: onefold: a function takes elements of up to three arrays: store what a function returns for two of them
#include <vector>

#include "onefold/onefold.hpp"

double f4(double, double, double, double);
double f3(double, double, double);

auto f(const std::vector<double>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::map_reduce<onefold::op::sum>(f4, x, x, x, x);
#else
  return onefold::map_reduce<onefold::op::sum>(f3, x, x, x);
#endif
}
