// The first of elements that have no default constructor.
// says: onefold: first and last return an element, which needs a default constructor
#include <vector>

#include "onefold/onefold.hpp"

struct number {
  int value;
#ifdef ONEFOLD_MISTAKE
  explicit number(int v) : value(v) {}
#endif
};

auto f(const std::vector<number>& x) { return onefold::first(x); }
