// The catalog's operations are for the catalog's element types.
// says: onefold: the operations of the catalog take f32, f64, f16, bf16, integers, bool and enumerations; for elements of another type write an operation of your own, or reduce a member of each
#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
using element = long double;
#else
using element = double;
#endif

auto f(std::span<const element> data) { return onefold::reduce<element, onefold::op::sum>(data); }
