// Axes of a range, by the name of an operation.
// says: onefold: this data has no axes to reduce over: make a range an onefold::array_view
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<float>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::reduce<onefold::op::sum>(x, 0);
#else
  return onefold::reduce<onefold::op::sum>(onefold::array_view(x), 0);
#endif
}
