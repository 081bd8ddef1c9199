// A member without that of its weights.
// says: onefold: this verb takes two arrays, or two functions or members of the elements of one: weighted_mean(orders, &order::price, &order::amount)
#include <vector>

#include "onefold/onefold.hpp"

struct order {
  double price;
  int amount;
};

auto f(const std::vector<order>& orders) {
#ifdef ONEFOLD_MISTAKE
  return onefold::weighted_mean(orders, &order::price);
#else
  return onefold::weighted_mean(orders, &order::price, &order::amount);
#endif
}
