// Bit operations are for integers.
// says: onefold: this operation is not defined for the element type: bit operations take integers only
#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
using element = float;
#else
using element = int;
#endif

element f(std::span<const element> data) { return onefold::reduce<element, onefold::op::bit_and>(data); }
