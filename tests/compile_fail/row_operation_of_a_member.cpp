// A row operation of a member of the elements.
// says: onefold: row operations take the values of a member as computed elements: write softmax(mapped(&order::price, orders))
#include <vector>

#include "onefold/onefold.hpp"

struct order {
  double price;
  int amount;
};

auto f(const std::vector<order>& orders) {
#ifdef ONEFOLD_MISTAKE
  return onefold::logsumexp(orders, &order::price);
#else
  return onefold::logsumexp(onefold::mapped(&order::price, orders));
#endif
}
