// Elements of a type of the caller's own are not known to be NaN.
// says: onefold: not_nan selects floating-point numbers and integers; use a mask for elements of your own
#include "onefold/onefold.hpp"

struct pair {
  float x, y;
};
#ifdef ONEFOLD_MISTAKE
using element = pair;
#else
using element = float;
#endif

auto f(std::span<const element> data) { return onefold::where(data, onefold::not_nan); }
