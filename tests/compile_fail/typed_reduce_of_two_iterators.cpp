// A reduction between two iterators.
// says: onefold: reduce takes a range, not a pair of iterators: write reduce<double, op::sum>(std::span(first, last))
#include <span>
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<double>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::reduce<double, onefold::op::sum>(x.begin(), x.end());
#else
  return onefold::reduce<double, onefold::op::sum>(std::span(x.begin(), x.end()));
#endif
}
