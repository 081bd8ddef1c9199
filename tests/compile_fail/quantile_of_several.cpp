// Several quantiles from the verb of one.
// says: onefold: for several quantiles write quantiles(x, {0.1, 0.9})
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<double>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::quantile(x, {0.1, 0.9});
#else
  return onefold::quantiles(x, {0.1, 0.9});
#endif
}
