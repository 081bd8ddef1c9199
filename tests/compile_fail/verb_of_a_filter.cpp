// A verb over a view whose elements are not found by their number, and which is not read through a const reference.
// says: onefold: the elements of this range are not contiguous in memory
// says: copy those of a std::list or a filter to a std::vector first
#include <vector>

#include "onefold/onefold.hpp"

/// As std::views::filter is, which older compilers do not compile.
struct filtered {
  std::vector<float> x;
  auto begin() { return x.begin(); }
  auto end() { return x.end(); }
};

#ifdef ONEFOLD_MISTAKE
using range = filtered;
#else
using range = std::vector<float>;
#endif

auto f(range& x) { return onefold::sum(x); }
