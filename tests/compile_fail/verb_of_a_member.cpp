// A verb that does not take functions, over a member of the elements.
// says: onefold: this verb takes elements, not a member of them: those of the catalog take both with <onefold/map_reduce.hpp>: sum(orders, &order::price)
// errors: 2
#include <vector>

#include "onefold/onefold.hpp"

struct order {
  double price;
};

auto f(const std::vector<order>& orders) {
#ifdef ONEFOLD_MISTAKE
  return onefold::nansum(orders, &order::price);
#else
  return onefold::sum(orders, &order::price);
#endif
}
