// A histogram of a member of the elements.
// says: onefold: this verb takes elements, not a function or a member of them: copy what that returns for each element to a std::vector first
#include <vector>

#include "onefold/onefold.hpp"

struct order {
  double price;
};

auto f(const std::vector<order>& orders) {
#ifdef ONEFOLD_MISTAKE
  return onefold::histogram(orders, &order::price, 10);
#else
  return onefold::sum(orders, &order::price);
#endif
}
