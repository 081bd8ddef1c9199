// A covariance of elements that are not numbers.
// says: onefold: statistics are of numbers: of structs name a member, mapped(&order::price, orders), and of complex numbers take their parts, mapped(f, x)
#include <vector>

#include "onefold/onefold.hpp"

struct order {
  double price;
};

auto f(const std::vector<order>& orders, const std::vector<double>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::covariance(orders, x);
#else
  return onefold::covariance(onefold::mapped(&order::price, orders), x);
#endif
}
