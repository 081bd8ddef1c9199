// An order statistic of elements that are not contiguous.
// says: onefold: order statistics and histograms are of contiguous ranges and views: copy the elements of a std::deque
#include <deque>
#include <vector>

#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
using range = std::deque<float>;
#else
using range = std::vector<float>;
#endif

auto f(const range& x) { return onefold::median(x); }
