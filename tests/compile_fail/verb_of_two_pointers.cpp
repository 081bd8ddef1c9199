// A verb over two pointers.
// says: onefold: a verb takes a range, not a pair of iterators: write sum(std::span(first, last))
// errors: 2
#include "onefold/onefold.hpp"

auto f(const float* first, const float* last) {
#ifdef ONEFOLD_MISTAKE
  return onefold::max(first, last);
#else
  return onefold::max(std::span(first, last));
#endif
}
