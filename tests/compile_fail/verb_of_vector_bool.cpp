// A verb over a std::vector<bool>.
// says: onefold: std::vector<bool> does not expose its elements; use std::vector<std::uint8_t>
#include <vector>

#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
using range = std::vector<bool>;
#else
using range = std::vector<std::uint8_t>;
#endif

auto f(const range& x) { return onefold::all(x); }
