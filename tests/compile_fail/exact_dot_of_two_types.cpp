// An exact dot product of two types.
// says: onefold: exact_dot takes two arrays of one type: of others write dot(x, y, {.accuracy = onefold::accuracy::exact})
#include <vector>

#include "onefold/onefold.hpp"

auto f([[maybe_unused]] const std::vector<double>& x, const std::vector<float>& y) {
#ifdef ONEFOLD_MISTAKE
  return onefold::exact_dot(x, y);
#else
  return onefold::exact_dot(y, y);
#endif
}
