// The largest results of a function.
// says: onefold: this verb takes elements, not a function or a member of them: copy what that returns for each element to a std::vector first
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<double>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::top_k(
      x, [](double a) { return a * a; }, 1);
#else
  return onefold::top_k(x, 1);
#endif
}
