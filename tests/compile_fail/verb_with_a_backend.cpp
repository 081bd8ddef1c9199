// A backend without its name.
// says: onefold: options have names: write sum(x, {.accuracy = onefold::accuracy::exact}), or {.backend = ...}
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<double>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::max(x, onefold::backend::openmp);
#else
  return onefold::max(x, {.backend = onefold::backend::openmp});
#endif
}
