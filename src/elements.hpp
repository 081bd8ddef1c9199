// How many elements bytes hold.
#pragma once

#include <cstdint>

#include "onefold/types.hpp"

namespace onefold::detail {

/// The whole elements of a type that this many bytes hold; 0 of a type without a size.
constexpr std::int64_t elements_in(std::int64_t bytes, dtype type) {
  const int size = size_of(type);
  return size > 0 ? bytes / size : 0;
}

}  // namespace onefold::detail
