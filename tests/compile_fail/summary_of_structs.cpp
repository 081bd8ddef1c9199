// A summary of elements that are not numbers.
// says: onefold: a summary takes numbers: of structs name a member, summary(orders, &order::price)
#include <vector>

#include "onefold/onefold.hpp"

struct order {
  double price;
};

auto f(const std::vector<order>& orders) {
#ifdef ONEFOLD_MISTAKE
  return onefold::summary(orders);
#else
  return onefold::summary(orders, &order::price);
#endif
}
