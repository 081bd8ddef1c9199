// Two iterators, for an accumulator.
// says: onefold: a verb takes a range, not a pair of iterators: write sum(std::span(first, last))
#include <vector>

#include "onefold/onefold.hpp"

void f(onefold::accumulator<float, onefold::op::sum>& a, const std::vector<float>& x) {
#ifdef ONEFOLD_MISTAKE
  a.push(x.begin(), x.end());
#else
  a.push(std::span(x.begin(), x.end()));
#endif
}
