// A verb over an iterator.
// says: onefold: a verb takes a range, not a pair of iterators: write sum(std::span(first, last))
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<float>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::minmax(x.begin());
#else
  return onefold::minmax(std::span(x.begin(), x.end()));
#endif
}
