// A function of what a function that cannot be copied returns.
// says: onefold: a function whose values are the argument of another one is copied: give it what can be copied
#include <memory>
#include <utility>
#include <vector>

#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
using pointer = std::unique_ptr<double>;
#else
using pointer = std::shared_ptr<double>;
#endif

auto f(const std::vector<double>& x, pointer p) {
  const auto twice = [](double a) { return 2 * a; };
  return onefold::sum(onefold::mapped(twice, onefold::mapped([q = std::move(p)](double a) { return a + *q; }, x)));
}
