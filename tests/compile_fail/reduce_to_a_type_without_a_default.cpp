// A function of two values whose type has no default constructor.
// says: onefold: results need a default constructor, which the type of the initial value does not have
#include <vector>

#include "onefold/custom.hpp"
#include "onefold/onefold.hpp"

struct factor {
  int value;
#ifdef ONEFOLD_MISTAKE
  explicit factor(int v) : value(v) {}
#endif
};

factor times(factor a, factor b) { return factor{a.value * b.value}; }

auto f(const std::vector<factor>& x) { return onefold::reduce(x, factor{1}, times); }
