// Sums with a requested condition number.
#pragma once

#include <cstdint>

#include "data/format.hpp"
#include "data/random.hpp"

namespace onefold::data {

/// Throws onefold::error (invalid_argument) where n elements of the format cannot have that condition number.
void check_condition(format type, std::int64_t n, double condition);

/// Makes x[0 .. n) with a sum whose condition number, sum of |x| over |sum of x|, is about `condition`: within a
/// factor of 2 from a hundred elements on. After Ogita, Rump & Oishi 2005, algorithm 6.1.
template <class T>
void fill_conditioned(T* x, std::int64_t n, const random_numbers& random, double condition);

}  // namespace onefold::data
