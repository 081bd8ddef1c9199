// The norms of vectors: which one normalize divides by, and distance measures with.
#pragma once

#include <cstdint>

#include "onefold/detail/level.hpp"

namespace onefold {
inline namespace ONEFOLD_LEVEL {

/// A norm of a line or a vector.
enum class norm : std::uint8_t {
  l1,          ///< the sum of magnitudes
  l2,          ///< the root of the sum of squares
  linf,        ///< the largest magnitude
  max = linf,  ///< the same
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
