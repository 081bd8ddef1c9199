// A lambda that counts its calls.
// says: onefold: the function changes itself: several threads call it at once, so that it must be const
#include <vector>

#include "onefold/map_reduce.hpp"

auto f(const std::vector<float>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::sum(onefold::mapped([calls = 0](float a) mutable { return a + static_cast<float>(++calls); }, x));
#else
  return onefold::sum(onefold::mapped([calls = 0](float a) { return a + static_cast<float>(calls); }, x));
#endif
}
