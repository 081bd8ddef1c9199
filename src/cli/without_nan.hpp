// Reductions of the elements of a list that are not NaN.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "reduced.hpp"

namespace onefold::cli {

/// An operation over these elements.
reduced reduced_without_nan(int operation, dtype type, const options& how, const void* data, std::int64_t n);

/// How many elements are NaN.
std::int64_t count_nan(dtype type, options how, const void* data, std::int64_t n);

/// A copy of these elements.
byte_buffer copied_without_nan(dtype type, std::span<const std::byte> elements);

}  // namespace onefold::cli
