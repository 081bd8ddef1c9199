// A function of two values, over elements that do not convert to them.
// says: onefold: the elements do not convert to the type of the initial value: reduce a member of them, or what a function returns, reduce(mapped(&order::price, orders), 0.0, f)
#include <functional>
#include <vector>

#include "onefold/custom.hpp"
#include "onefold/onefold.hpp"

struct order {
  double price;
};

auto f(const std::vector<order>& orders) {
#ifdef ONEFOLD_MISTAKE
  return onefold::reduce(orders, 0.0, std::plus<>{});
#else
  return onefold::reduce(onefold::mapped(&order::price, orders), 0.0, std::plus<>{});
#endif
}
