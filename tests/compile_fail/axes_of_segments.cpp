// Axes of segments, which have none.
// says: onefold: this data has no axes to reduce over
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<float>& x, const std::vector<int>& offsets) {
#ifdef ONEFOLD_MISTAKE
  return onefold::nanmax(onefold::segments(x, offsets), {0, 1});
#else
  return onefold::max(onefold::segments(x, offsets));
#endif
}
