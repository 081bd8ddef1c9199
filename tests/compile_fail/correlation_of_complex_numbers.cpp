// A correlation of complex numbers.
// says: onefold: statistics are of numbers: of structs name a member, mapped(&order::price, orders), and of complex numbers take their parts, mapped(f, x)
#include <complex>
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<std::complex<double>>& z) {
  const auto real_part = [](const std::complex<double>& c) { return c.real(); };
#ifdef ONEFOLD_MISTAKE
  static_cast<void>(real_part);
  return onefold::correlation(z, z);
#else
  return onefold::correlation(onefold::mapped(real_part, z), onefold::mapped(real_part, z));
#endif
}
