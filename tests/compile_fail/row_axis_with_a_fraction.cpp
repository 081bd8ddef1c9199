// An axis with a fraction.
// says: onefold: an axis is an integer: write softmax(view, 0)

#include "onefold/onefold.hpp"

auto f(const onefold::array_view<float>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::softmax(x, 0.9);
#else
  return onefold::softmax(x, 0);
#endif
}
