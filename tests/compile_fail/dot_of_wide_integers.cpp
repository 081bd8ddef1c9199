// A dot product of integers of 128 bits.
// says: onefold: verbs of vectors take floating-point numbers and integers of up to 64 bits
#include <cstdint>
#include <vector>

#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
__extension__ using number = __int128;
#else
using number = std::int64_t;
#endif

auto f(const std::vector<number>& x) { return onefold::dot(x, x); }
