// A scan of values by key, which are not neighbors.
// says: onefold: scans take contiguous ranges, views and segments: copy the elements of a std::deque, selected elements, or those of each key, to a std::vector first
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<float>& x, const std::vector<int>& keys) {
#ifdef ONEFOLD_MISTAKE
  return onefold::cumprod(onefold::by_key(x, keys));
#else
  return static_cast<void>(keys), onefold::cumprod(x);
#endif
}
