// An axis with a fraction.
// says: onefold: an axis is an integer: write cumsum(view, 0)

#include "onefold/onefold.hpp"

auto f(const onefold::array_view<float>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::cumsum(x, 0.9);
#else
  return onefold::cumsum(x, 0);
#endif
}
