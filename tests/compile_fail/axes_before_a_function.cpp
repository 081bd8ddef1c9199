// The axes before the function.
// says: onefold: the function stands before the axes: write sum(view, f, 0)

#include "onefold/onefold.hpp"

auto f(const onefold::array_view<float>& x) {
  const auto square = [](float a) { return a * a; };
#ifdef ONEFOLD_MISTAKE
  return onefold::max(x, 1, square);
#else
  return onefold::max(x, square, 1);
#endif
}
