// A scan of selected elements, along an axis.
// says: onefold: scans take contiguous ranges, views and segments: copy the elements of a std::deque, selected elements, or those of each key, to a std::vector first
#include "onefold/onefold.hpp"

auto f(onefold::array_view<const float> view, onefold::array_view<const bool> mask) {
#ifdef ONEFOLD_MISTAKE
  return onefold::cummin(onefold::where(view, mask), 1);
#else
  return static_cast<void>(mask), onefold::cummin(view, 1);
#endif
}
