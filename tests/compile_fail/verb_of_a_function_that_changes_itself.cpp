// A verb with a function that several threads cannot call at once.
// says: onefold: the function changes itself: several threads call it at once, so that it must be const
#include <vector>

#include "onefold/onefold.hpp"

void f(const std::vector<double>& x) {
#ifdef ONEFOLD_MISTAKE
  onefold::sum(x, [n = 0](double a) mutable { return a * ++n; });
#else
  onefold::sum(x, [n = 1](double a) { return a * n; });
#endif
}
