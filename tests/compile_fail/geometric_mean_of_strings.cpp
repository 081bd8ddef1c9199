// A mean of numbers that are spelled out.
// says: onefold: statistics are of numbers: of structs name a member, mapped(&order::price, orders), and of complex numbers take their parts, mapped(f, x)
#include <string>
#include <vector>

#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
using element = std::string;
#else
using element = double;
#endif

auto f(const std::vector<element>& x) { return onefold::geometric_mean(x); }
