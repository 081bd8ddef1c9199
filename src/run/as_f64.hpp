// Any element as f64.
#pragma once

#include "onefold/types.hpp"

namespace onefold::detail {

/// The element's number; of integers with 64 bits the nearest f64.
template <class T>
double as_f64(T x) {
  if constexpr (is_small_float<T>)
    return static_cast<double>(static_cast<float>(x));
  else
    return static_cast<double>(x);
}

}  // namespace onefold::detail
