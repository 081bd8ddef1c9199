// A histogram of the range between two iterators.
// says: onefold: a verb takes a range, not a pair of iterators: write sum(std::span(first, last))
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<double>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::histogram(x.begin(), x.end(), 10);
#else
  return onefold::histogram(x, 10);
#endif
}
