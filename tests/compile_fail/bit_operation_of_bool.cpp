// A bit operation over truth values.
// says: onefold: this operation is not defined for the element type: bit operations take integers only (for bool, take all, any or count)
#include <array>

#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
using element = bool;
#else
using element = std::uint8_t;
#endif

auto f(const std::array<element, 3>& x) { return onefold::bit_and(x); }
