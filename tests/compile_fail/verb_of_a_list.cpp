// A verb over the elements of a list.
// says: onefold: the elements of this range are not contiguous in memory: for ranges with random access (std::deque, std::vector<bool>, std::views::transform), include <onefold/ranges.hpp>; copy those of a std::list or a filter to a std::vector first
#include <list>
#include <vector>

#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
using range = std::list<double>;
#else
using range = std::vector<double>;
#endif

auto f(const range& x) { return onefold::nanmean(x, {.threads = 2}); }
