// Selected elements are selected from once.
// says: onefold: elements cannot be selected from this data: write the verb without nan, over a copy without
#include "onefold/onefold.hpp"

auto f(onefold::array_view<const float> view, onefold::array_view<const bool> mask) {
#ifdef ONEFOLD_MISTAKE
  return onefold::nansum(onefold::where(view, mask), 0);
#else
  return onefold::sum(onefold::where(view, mask), 0);
#endif
}
