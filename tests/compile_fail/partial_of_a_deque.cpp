// A partial of elements that are not contiguous.
// says: onefold: a contiguous range of the element type itself is expected: convert the elements, or copy those of a std::deque
#include <deque>
#include <vector>

#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
using range = std::deque<float>;
#else
using range = std::vector<float>;
#endif

auto f(const range& x) { return onefold::partial<float, onefold::op::sum>(x, 100); }
