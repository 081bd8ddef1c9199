// A row operation on values by key, which are not neighbors.
// says: onefold: row operations take ranges, views, selected elements of them and computed elements: copy segments or groups to an array first
#include <vector>

#include "onefold/keys.hpp"
#include "onefold/row_operations.hpp"

auto f(const std::vector<float>& x, const std::vector<int>& keys) {
#ifdef ONEFOLD_MISTAKE
  return onefold::softmax(onefold::by_key(x, keys));
#else
  return static_cast<void>(keys), onefold::softmax(x);
#endif
}
