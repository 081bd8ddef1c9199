// A scan along an axis of a range, which has none.
// says: onefold: this data has no axes to reduce over: make a range an onefold::array_view
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<float>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::cumsum(x, 0);
#else
  return onefold::cumsum(onefold::array_view(x), 0);
#endif
}
