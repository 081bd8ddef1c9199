// A verb over a pointer and a length.
// says: onefold: a verb takes a range, not a pointer and a length: write sum(std::span(p, n))
#include "onefold/onefold.hpp"

auto f(float* p, std::size_t n) {
#ifdef ONEFOLD_MISTAKE
  return onefold::sum(p, n);
#else
  return onefold::sum(std::span(p, n));
#endif
}
