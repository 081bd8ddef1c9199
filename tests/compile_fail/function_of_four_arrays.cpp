// A function of computed elements, of more arrays than are read at once.
// says: onefold: a function of computed elements takes those of up to three arrays in all
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<double>& x) {
  const auto product = [](double a, double b) { return a * b; };
#ifdef ONEFOLD_MISTAKE
  return onefold::sum(onefold::mapped(product, onefold::mapped(product, x, x), onefold::mapped(product, x, x)));
#else
  return onefold::sum(onefold::mapped(product, onefold::mapped(product, x, x), x));
#endif
}
