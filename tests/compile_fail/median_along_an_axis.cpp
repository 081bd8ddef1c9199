// A median along an axis.
// says: onefold: order statistics take all elements: for each row call the verb with a copy of the row
#include "onefold/onefold.hpp"

auto f(const onefold::array_view<float>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::median(x, 1);
#else
  return onefold::max(x, 1);
#endif
}
