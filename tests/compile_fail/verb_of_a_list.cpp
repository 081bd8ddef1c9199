// A verb over the elements of a list.
// says: onefold: the elements of this range are not contiguous in memory: copy those of a std::deque, a std::list or a lazy view to a std::vector first
#include <list>
#include <vector>

#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
using range = std::list<double>;
#else
using range = std::vector<double>;
#endif

auto f(const range& x) { return onefold::nanmean(x, {.threads = 2}); }
