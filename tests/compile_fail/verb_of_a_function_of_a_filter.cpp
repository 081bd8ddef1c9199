// A function of elements that are not found by their number, nor read through a const reference.
// says: copy those of a std::list to a std::vector first
#include <vector>

#include "onefold/onefold.hpp"

/// As std::views::filter is, which older compilers do not compile.
struct filtered {
  std::vector<float> x;
  auto begin() { return x.begin(); }
  auto end() { return x.end(); }
};

auto f(filtered& range) {
#ifdef ONEFOLD_MISTAKE
  return onefold::sum(range, [](float a) { return a * a; });
#else
  return onefold::sum(range.x, [](float a) { return a * a; });
#endif
}
