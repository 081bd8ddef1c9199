// A member of the elements without the header that takes one.
// says: onefold: with <onefold/map_reduce.hpp> this verb takes a function of one element, or a member of it: sum(orders, &order::price)
#include <vector>

#include "onefold/reduce.hpp"

struct order {
  double price;
};

auto f(const std::vector<order>& orders) {
#ifdef ONEFOLD_MISTAKE
  return onefold::sum(orders, &order::price);
#else
  return orders.size();
#endif
}
