// A covariance of values by key.
// says: onefold: a function takes its elements from arrays: copy those that are selected, or of segments, groups or pieces, to a std::vector first
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<double>& x, const std::vector<int>& keys) {
#ifdef ONEFOLD_MISTAKE
  return onefold::covariance(onefold::by_key(x, keys), x);
#else
  return onefold::covariance(x, keys);
#endif
}
