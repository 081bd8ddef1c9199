// A verb over truth values.
// says: onefold: bool is not an element type: take the elements as std::uint8_t
#include <array>

#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
using element = bool;
#else
using element = std::uint8_t;
#endif

auto f(const std::array<element, 3>& x) { return onefold::any(x); }
