// Elements that are not contiguous, for an accumulator.
// says: onefold: the elements of this range are not contiguous in memory: copy those of a std::deque
#include <deque>
#include <vector>

#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
using range = std::deque<float>;
#else
using range = std::vector<float>;
#endif

void f(onefold::accumulator<float, onefold::op::sum>& a, const range& x) { a.push(x); }
