// A summary without NaN of elements that were selected already.
// says: onefold: a nansummary takes a contiguous range, a view, segments or groups, of which nothing is selected or computed: take the summary of a copy without the elements that are NaN
#include <cstdint>
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<float>& x, const std::vector<std::uint8_t>& mask) {
#ifdef ONEFOLD_MISTAKE
  return onefold::nansummary(onefold::where(x, mask));
#else
  return onefold::summary(onefold::where(x, mask));
#endif
}
