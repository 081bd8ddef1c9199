// An axis with a fraction.
// says: onefold: an axis is an integer: write sum(view, 0)

#include "onefold/onefold.hpp"

auto f(const onefold::array_view<float>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::sum(x, 0.9);
#else
  return onefold::sum(x, 0);
#endif
}
