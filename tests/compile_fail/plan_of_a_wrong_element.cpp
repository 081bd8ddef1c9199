// A plan refuses what reduce refuses.
// says: onefold: this operation is not defined for the element type: bit operations take integers only
#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
using element = onefold::f16;
#else
using element = unsigned char;
#endif

void f() { onefold::plan<element, onefold::op::bit_xor> p(10); }
