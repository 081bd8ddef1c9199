// A summary of pieces.
// says: onefold: a summary takes numbers in a range, a view, segments or groups, selected or computed or not: copy those of pieces to a std::vector first
#include <vector>

#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
auto f(const std::vector<std::vector<float>>& x) { return onefold::summary(onefold::concatenated(x)); }
#else
auto f(const std::vector<float>& x) { return onefold::summary(x); }
#endif
