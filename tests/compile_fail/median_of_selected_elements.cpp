// An order statistic of selected elements.
// says: onefold: order statistics and histograms are of all elements of a range, a view, pieces or a function's values: copy selected elements, or those of a segment or a group, to a std::vector first
#include "onefold/onefold.hpp"

auto f(const onefold::array_view<float>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::median(onefold::where(x, onefold::not_nan));
#else
  return onefold::nanmedian(x);
#endif
}
