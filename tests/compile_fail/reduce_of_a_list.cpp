// An operation by name, of elements that are not contiguous in memory.
// says: onefold: the elements of this range are not contiguous in memory
#include <list>
#include <vector>

#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
auto f(const std::list<float>& x) {
#else
auto f(const std::vector<float>& x) {
#endif
  return onefold::reduce<onefold::op::sum>(x);
}
