// The loop that everybody writes first, as a warning.
#pragma once

#include <span>

#include "onefold/dynamic.hpp"

namespace onefold::cli {

/// ((x0 + x1) + x2) + ..., in the library's native accumulator type, divided by n for a mean; the same of the squares,
/// and (sum of squares - sum^2 / n) / n for a variance. A number of the type that the library's result has.
scalar left_fold(int operation, dtype type, std::span<const std::byte> elements);

}  // namespace onefold::cli
