// A condition in place of a mask.
// says: onefold: a mask has a byte for each element: store f(x) for each x in a std::vector<std::uint8_t> first, or count elements with count(x, f)
#include <cstdint>
#include <vector>

#include "onefold/onefold.hpp"

bool is_large(double);

auto f(const std::vector<double>& x, [[maybe_unused]] const std::vector<std::uint8_t>& mask) {
#ifdef ONEFOLD_MISTAKE
  return onefold::sum(onefold::where(x, is_large));
#else
  return onefold::sum(onefold::where(x, mask));
#endif
}
