// A verb with a member function that may change the elements.
// says: onefold: the function may change the elements, which are const here: make the member function const, or take elements by value or by a const reference
#include <vector>

#include "onefold/onefold.hpp"

struct order {
  double price;
  double total() const { return price; }
  double changed() { return ++price; }
};

auto f(const std::vector<order>& orders) {
#ifdef ONEFOLD_MISTAKE
  return onefold::sum(orders, &order::changed);
#else
  return onefold::sum(orders, &order::total);
#endif
}
