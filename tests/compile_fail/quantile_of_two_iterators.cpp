// A quantile over two iterators.
// says: onefold: a verb takes a range, not a pair of iterators: write sum(std::span(first, last))
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<float>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::quantile(x.begin(), x.end(), 0.9);
#else
  return onefold::quantile(std::span(x.begin(), x.end()), 0.9);
#endif
}
