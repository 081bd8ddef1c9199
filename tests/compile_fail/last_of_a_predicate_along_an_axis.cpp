// The last element of each row of which something holds, asked for by a member function.
// says: onefold: first(x, f) is f of the first element: for the first one of which f holds write first(where(x, mask)) with a byte for each element, or argmax(x, f), which is its index; likewise last
#include "onefold/onefold.hpp"

struct order {
  double price;
  bool is_late() const { return price > 2; }
};

auto f(const onefold::array_view<order>& orders) {
#ifdef ONEFOLD_MISTAKE
  return onefold::last(orders, &order::is_late, 1);
#else
  return onefold::last(orders, &order::price, 1);
#endif
}
