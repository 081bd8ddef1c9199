// An array before the member to map it to.
// says: onefold: the function comes first: write map_reduce<op::sum>(f, x), sum(mapped(f, x)) or sum(x, f)
#include <vector>

#include "onefold/onefold.hpp"

struct order {
  double price;
};

void f(const std::vector<order>& orders) {
#ifdef ONEFOLD_MISTAKE
  onefold::mapped(orders, &order::price);
#else
  onefold::mapped(&order::price, orders);
#endif
}
