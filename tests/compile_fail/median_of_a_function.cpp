// An order statistic of what a function returns.
// says: onefold: this verb takes elements, not a function or a member of them: copy what that returns for each element to a std::vector first
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<double>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::median(x, [](double a) { return a * a; });
#else
  return onefold::median(x);
#endif
}
