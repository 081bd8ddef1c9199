// A verb of two arrays.
// says: onefold: a verb takes one array: of two write dot(x, y), weighted_mean(x, weights), or with any function sum(x, y, f)
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<double>& x, const std::vector<double>& y) {
#ifdef ONEFOLD_MISTAKE
  return onefold::sum(x, y);
#else
  return onefold::dot(x, y);
#endif
}
