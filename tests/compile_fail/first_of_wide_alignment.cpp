// The first of elements that are aligned to 16 bytes.
// says: onefold: first and last take elements that are aligned to 8 bytes at most
#include <vector>

#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
struct alignas(16) pair {
#else
struct pair {
#endif
  double a, b;
};

auto f(const std::vector<pair>& x) { return onefold::first(x); }
