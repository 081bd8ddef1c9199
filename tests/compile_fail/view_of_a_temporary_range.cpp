// A view of a vector that ends before the view does.
// says: onefold: this range is a temporary, and a view would outlive it: give it a name
#include <vector>

#include "onefold/onefold.hpp"

float f(std::vector<float> x) {
#ifdef ONEFOLD_MISTAKE
  const onefold::array_view view(std::vector<float>(x.size()));
#else
  const onefold::array_view view(x);
#endif
  x[0] = 1;
  return onefold::sum(view);
}
