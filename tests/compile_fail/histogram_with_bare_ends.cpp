// Ends and number of bins without their names.
// says: onefold: bins of equal widths have names: write histogram(x, {.low = 0, .high = 10, .count = 5})
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<double>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::histogram(x, 0, 10, 5);
#else
  return onefold::histogram(x, {.low = 0, .high = 10, .count = 5});
#endif
}
