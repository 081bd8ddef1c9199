// A verb over complex numbers.
// says: onefold: complex numbers are not elements: reduce their real and imaginary parts apart
#include <complex>
#include <vector>

#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
using element = std::complex<float>;
#else
using element = float;
#endif

auto f(const std::vector<element>& x) { return onefold::sum(x); }
