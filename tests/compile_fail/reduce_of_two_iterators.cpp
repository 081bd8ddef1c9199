// A function of two values, over the range between two iterators.
// says: onefold: reduce with a function takes a range, not two iterators, and has no axes: write reduce(std::span(first, last), 0.0, f)
#include <functional>
#include <vector>

#include "onefold/custom.hpp"
#include "onefold/onefold.hpp"

auto f(const std::vector<double>& x) {
#ifdef ONEFOLD_MISTAKE
  return onefold::reduce(x.begin(), x.end(), 0.0, std::plus<>{});
#else
  return onefold::reduce(x, 0.0, std::plus<>{});
#endif
}
