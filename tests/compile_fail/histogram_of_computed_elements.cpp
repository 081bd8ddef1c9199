// A histogram of what a function returns.
// says: onefold: order statistics and histograms are of contiguous ranges and views: copy the elements of a std::deque, and selected or computed ones, to a std::vector first
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<float>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::histogram(onefold::mapped([](float a) { return a + 1; }, x), 3);
#else
  return onefold::histogram(x, 3);
#endif
}
