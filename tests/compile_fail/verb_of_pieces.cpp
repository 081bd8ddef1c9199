// A verb over the pieces of an array.
// says: onefold: the elements of this range are ranges themselves: write sum(concatenated(pieces))
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<std::vector<float>>& pieces) {
#ifdef ONEFOLD_MISTAKE
  return onefold::sum(pieces);
#else
  return onefold::sum(onefold::concatenated(pieces));
#endif
}
