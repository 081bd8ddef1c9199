// Complex numbers where only reduce.hpp is included.
// says: onefold: complex numbers support sum, mean, product, sum_squares and norm2, of std::complex<float> and std::complex<double>, with <onefold/complex.hpp>
#include <complex>
#include <vector>

#ifdef ONEFOLD_MISTAKE
#include "onefold/reduce.hpp"
#else
#include "onefold/complex.hpp"
#endif

auto f(const std::vector<std::complex<double>>& x) { return onefold::norm2(x); }
