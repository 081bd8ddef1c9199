// Edges of bins that f64 may not represent.
// says: onefold: edges of bins are numbers that f64 represents: floating-point ones, or integers of up to 32 bits
#include <cstdint>
#include <vector>

#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
using edge = std::int64_t;
#else
using edge = std::int32_t;
#endif

auto f(const std::vector<double>& x, const std::vector<edge>& edges) { return onefold::histogram(x, edges); }
