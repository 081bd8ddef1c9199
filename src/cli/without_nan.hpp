// Reductions of the elements of a list that are not NaN.
#pragma once

#include <cstdint>

#include "reduced.hpp"

namespace onefold::cli {

/// An operation over these elements.
reduced reduced_without_nan(int operation, dtype type, const options& how, const void* data, std::int64_t n);

/// How many elements are NaN.
std::int64_t count_nan(dtype type, options how, const void* data, std::int64_t n);

}  // namespace onefold::cli
