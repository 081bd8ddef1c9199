// Values by key that lie apart.
// says: onefold: values by key are neighbors in memory: store those that a function computes or that lie apart, as the values of a member, in a std::vector first
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<double>& x, const std::vector<int>& keys) {
#ifdef ONEFOLD_MISTAKE
  return onefold::max(onefold::by_key(onefold::array_view<double>(x.data(), {3}, {2}), keys));
#else
  return onefold::max(onefold::by_key(x, keys));
#endif
}
