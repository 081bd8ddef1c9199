// A mean that is computed by a function, of selected elements.
// says: onefold: a function takes its elements from arrays: copy those that are selected, or of segments, groups or pieces, to a std::vector first
#include <cstdint>
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<double>& x, const std::vector<std::uint8_t>& mask) {
#ifdef ONEFOLD_MISTAKE
  return onefold::geometric_mean(onefold::where(x, mask));
#else
  return onefold::mean(onefold::where(x, mask));
#endif
}
