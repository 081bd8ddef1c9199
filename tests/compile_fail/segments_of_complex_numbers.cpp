// Segments of complex numbers.
// says: onefold: complex numbers are reduced by verbs over contiguous ranges and views; plans, partials, segments and groups do not support them
#include <complex>
#include <vector>

#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
using element = std::complex<double>;
#else
using element = double;
#endif

auto f(const std::vector<element>& x, const std::vector<int>& offsets) {
  return onefold::sum(onefold::segments(x, offsets));
}
