// Several operations over a list of elements of two types.
// says: onefold: the elements of a list have one type: write sum({1.0, 2.0})

#include "onefold/onefold.hpp"

auto f() {
#ifdef ONEFOLD_MISTAKE
  return onefold::fused<onefold::op::sum>({1, 2.0});
#else
  return onefold::fused<onefold::op::sum>({1.0, 2.0});
#endif
}
