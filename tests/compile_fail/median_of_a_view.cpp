// An order statistic of a view.
// says: onefold: order statistics and histograms are of contiguous ranges: copy the elements of a std::deque or a view
#include <span>

#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
using range = onefold::array_view<float>;
#else
using range = std::span<const float>;
#endif

auto f(const range& x) { return onefold::median(x); }
