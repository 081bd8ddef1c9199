// The number before the member.
// says: onefold: the function, which is called with an element, stands between the array and the number: write top_k(orders, &order::price, 10)
#include <vector>

#include "onefold/onefold.hpp"

struct order {
  double price;
  int amount;
};

auto f(const std::vector<order>& orders) {
#ifdef ONEFOLD_MISTAKE
  return onefold::top_k(orders, 2, &order::price);
#else
  return onefold::top_k(orders, &order::price, 2);
#endif
}
