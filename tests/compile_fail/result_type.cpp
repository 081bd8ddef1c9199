// A result type that the operation does not have.
// says: onefold: this operation does not return that type: rounded results (sum, product, mean, variances) can be f32 or f64
#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
using result = double;
#else
using result = float;
#endif

auto f(std::span<const float> data) { return onefold::reduce<float, onefold::op::max, result>(data); }
