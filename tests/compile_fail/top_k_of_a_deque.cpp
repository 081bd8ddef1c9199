// The largest of elements that are not contiguous.
// says: onefold: the elements of this range are not contiguous in memory: for ranges with random access (std::deque, std::vector<bool>, std::views::transform), include <onefold/ranges.hpp>
#include <deque>
#include <vector>

#include "onefold/top_k.hpp"

#ifdef ONEFOLD_MISTAKE
using range = std::deque<float>;
#else
using range = std::vector<float>;
#endif

auto f(const range& x) { return onefold::top_k(x, 3); }
