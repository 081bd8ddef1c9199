// A verb over elements that are volatile.
// says: onefold: the elements of this range are volatile: copy them to a std::vector first
#include <span>

#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
using element = volatile double;
#else
using element = double;
#endif

auto f(std::span<element> x) { return onefold::sum(x); }
