// An option without its name.
// says: onefold: options have names: write sum(x, {.accuracy = onefold::accuracy::exact}), or {.backend = ...}
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<double>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::sum(x, onefold::accuracy::exact);
#else
  return onefold::sum(x, {.accuracy = onefold::accuracy::exact});
#endif
}
