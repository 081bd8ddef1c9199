// A type that is not an operation.
// says: onefold: not an operation of the catalog
#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
using operation = float;
#else
using operation = onefold::op::sum;
#endif

auto f(std::span<const float> data) { return onefold::reduce<float, operation>(data); }
