// Elements that are not contiguous, for an accumulator.
// says: onefold: a contiguous range of the element type itself is expected: convert the elements, or copy those of a std::deque
#include <deque>
#include <vector>

#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
using range = std::deque<float>;
#else
using range = std::vector<float>;
#endif

void f(onefold::accumulator<float, onefold::op::sum>& a, const range& x) { a.push(x); }
