// An array before its function.
// says: onefold: the function comes first: write map_reduce<op::sum>(f, x), sum(mapped(f, x)) or sum(x, f)
#include <vector>

#include "onefold/onefold.hpp"

void f(const std::vector<double>& x, const std::vector<double>& y) {
  const auto product = [](double a, double b) { return a * b; };
#ifdef ONEFOLD_MISTAKE
  onefold::map_reduce<onefold::op::sum>(x, y, product);
#else
  onefold::map_reduce<onefold::op::sum>(product, x, y);
#endif
}
