// A scan of selected elements, along an axis.
// says: onefold: scans take ranges, views and segments: copy selected elements
#include "onefold/onefold.hpp"

auto f(onefold::array_view<const float> view, onefold::array_view<const bool> mask) {
#ifdef ONEFOLD_MISTAKE
  return onefold::cummin(onefold::where(view, mask), 1);
#else
  return static_cast<void>(mask), onefold::cummin(view, 1);
#endif
}
