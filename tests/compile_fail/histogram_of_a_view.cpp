// A histogram of an array with strides.
// says: onefold: order statistics and histograms are of contiguous ranges: copy the elements of a std::deque or a view
#include <vector>

#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
using elements = onefold::array_view<float>;
#else
using elements = std::vector<float>;
#endif

auto f(const elements& x) { return onefold::histogram(x, 3); }
