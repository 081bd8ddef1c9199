// Elements of another type, for an accumulator.
// says: onefold: a contiguous range of the element type itself is expected: convert the elements
#include <vector>

#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
using range = std::vector<double>;
#else
using range = std::vector<float>;
#endif

void f(onefold::accumulator<float, onefold::op::sum>& a, const range& x) { a.push(x); }
