// Central moments of structs.
// says: central_moments takes floating-point numbers and integers
#include <vector>

#include "onefold/central_moments.hpp"

struct order {
  float price;
};

#ifdef ONEFOLD_MISTAKE
auto f(const std::vector<order>& x) { return onefold::central_moments(x); }
#else
auto f(const std::vector<order>& x) { return onefold::central_moments(x, &order::price); }
#endif
