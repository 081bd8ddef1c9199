// A member of another type than that of the elements.
// says: onefold: with <onefold/map_reduce.hpp> this verb takes a function of one element, or a member of it: sum(orders, &order::price)
#include <vector>

#include "onefold/onefold.hpp"

struct order {
  double price;
};

auto f(const std::vector<double>& x, const std::vector<order>& orders) {
#ifdef ONEFOLD_MISTAKE
  return onefold::sum(x, &order::price);
#else
  return onefold::sum(orders, &order::price) + onefold::sum(x);
#endif
}
