// A verb over a member of the elements.
// says: onefold: a verb takes elements, not a member of them: write sum(mapped(&order::price, orders))
// errors: 2
#include <vector>

#include "onefold/onefold.hpp"

struct order {
  double price;
};

auto f(const std::vector<order>& orders) {
#ifdef ONEFOLD_MISTAKE
  return onefold::sum(orders, &order::price);
#else
  return onefold::sum(onefold::mapped(&order::price, orders));
#endif
}
