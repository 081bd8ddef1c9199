// A dot product of two integer types.
// says: onefold: this takes floating-point numbers, integers of one type, or an array of each: convert one of two integer types
#include <cstdint>
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<std::int32_t>& x, [[maybe_unused]] const std::vector<std::int64_t>& y) {
#ifdef ONEFOLD_MISTAKE
  return onefold::dot(x, y);
#else
  return onefold::dot(x, x);
#endif
}
