// The norm of complex numbers, without the header that has it.
// says: dot, norm1 and norm_inf complex numbers in memory, with <onefold/complex_vectors.hpp>
#include <complex>
#include <vector>

#include "onefold/vectors.hpp"

#ifndef ONEFOLD_MISTAKE
#include "onefold/complex_vectors.hpp"
#endif

auto f(const std::vector<std::complex<double>>& x) { return onefold::norm1(x); }
