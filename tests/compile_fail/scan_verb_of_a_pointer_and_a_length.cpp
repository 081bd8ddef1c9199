// A scan over a pointer and a length.
// says: onefold: a verb takes a range, not a pointer and a length
#include "onefold/onefold.hpp"

auto f(float* p, std::size_t n) {
#ifdef ONEFOLD_MISTAKE
  return onefold::cummax(p, n);
#else
  return onefold::cummax(std::span(p, n));
#endif
}
