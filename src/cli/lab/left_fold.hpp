// The loop that everybody writes first, as a warning.
#pragma once

#include <span>

#include "onefold/dynamic.hpp"

namespace onefold::cli {

/// ((x0 + x1) + x2) + ..., in the library's native accumulator type, divided by n for a mean; a number of the type
/// that the library's result has.
scalar left_fold(dtype type, std::span<const std::byte> elements, bool mean);

}  // namespace onefold::cli
