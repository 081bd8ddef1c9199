// A function that adds an element to a result of another type, as std::accumulate takes.
// says: onefold: reduce takes an initial value, and then a function that combines two values of its type, changes neither, and is const: write reduce(x, 0.0, f)
// says: reduce(mapped(&order::price, orders), 0.0, f)
#include <vector>

#include "onefold/custom.hpp"
#include "onefold/onefold.hpp"

struct order {
  double price;
};

auto f(const std::vector<order>& orders) {
#ifdef ONEFOLD_MISTAKE
  return onefold::reduce(orders, 0.0, [](double sum, const order& o) { return sum + o.price; });
#else
  return onefold::reduce(onefold::mapped(&order::price, orders), 0.0, [](double a, double b) { return a + b; });
#endif
}
