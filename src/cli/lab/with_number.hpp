// From a result to a value of its type.
#pragma once

#include <bit>
#include <cstdint>

#include "input/with_type.hpp"
#include "onefold/dynamic.hpp"

namespace onefold::cli {

/// Calls f with a result's number as a value of its type, of 32 or 64 bits.
template <class Function>
void with_number(const scalar& s, Function&& f) {
  with_type(s.type, [&]<class T>() {
    if constexpr (sizeof(T) == 8)
      f(std::bit_cast<T>(s.bits));
    else if constexpr (sizeof(T) == 4)
      f(std::bit_cast<T>(static_cast<std::uint32_t>(s.bits)));
  });
}

}  // namespace onefold::cli
