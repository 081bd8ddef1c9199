// Pieces whose elements are not contiguous.
// says: onefold: each piece must be a contiguous range: a std::vector, a std::array or a std::span
#include <list>
#include <vector>

#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
using piece = std::list<float>;
#else
using piece = std::vector<float>;
#endif

auto f(const std::vector<piece>& pieces) { return onefold::concatenated(pieces); }
