// A scan over elements that are not contiguous.
// says: onefold: scans take contiguous ranges, views and segments: copy the elements of a std::deque
#include <deque>
#include <vector>

#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
using range = std::deque<float>;
#else
using range = std::vector<float>;
#endif

auto f(const range& x) { return onefold::cumsum(x); }
