// An order statistic of selected elements.
// says: onefold: order statistics and histograms are of contiguous ranges and views: copy the elements of a std::deque, and selected or computed ones, to a std::vector first
#include "onefold/onefold.hpp"

auto f(const onefold::array_view<float>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::median(onefold::where(x, onefold::not_nan));
#else
  return onefold::nanmedian(x);
#endif
}
