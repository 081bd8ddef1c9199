// A function of computed elements that is not const.
// says: onefold: the function changes itself: several threads call it at once, so that it must be const
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<double>& x) {
  const auto squares = onefold::mapped([](double a) { return a * a; }, x);
#ifdef ONEFOLD_MISTAKE
  return onefold::sum(onefold::mapped([calls = 0](double a) mutable { return a + ++calls; }, squares));
#else
  return onefold::sum(onefold::mapped([](double a) { return a + 1; }, squares));
#endif
}
