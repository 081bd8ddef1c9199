// A verb over an array of arrays.
// says: onefold: the elements of this array are arrays themselves: make a view of the first element, sum(array_view(&m[0][0], {2, 3}))

#include "onefold/onefold.hpp"

using matrix = double[2][3];

auto f(const matrix& m) {
#ifdef ONEFOLD_MISTAKE
  return onefold::sum(m);
#else
  return onefold::sum(onefold::array_view(&m[0][0], {2, 3}));
#endif
}
