// A median over two iterators.
// says: onefold: a verb takes a range, not a pair of iterators: write sum(std::span(first, last))
// errors: 2
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<float>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::median(x.begin(), x.end());
#else
  return onefold::median(std::span(x.begin(), x.end()));
#endif
}
