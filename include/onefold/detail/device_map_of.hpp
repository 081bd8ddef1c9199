// Which record a device computes elements by: none, unless a .cu file compiled one; and which function of the library's
// it knows.
#pragma once

#include <type_traits>

#include "onefold/detail/level.hpp"
#include "onefold/map_request.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The record of a function F that returns elements T, for arrays that begin at Places; null where it was not compiled
/// for a device. <onefold/cuda.cuh> has the others.
template <class F, class T, class... Places>
struct device_map_of {
  static constexpr const device_map* value = nullptr;
};

/// Which of the library's functions F is: what it says as F::known, which a caller's function may have of another type.
template <class F>
inline constexpr known_function known_as = known_function::none;
template <class F>
requires std::is_same_v<decltype(F::known), const known_function>
inline constexpr known_function known_as<F> = F::known;

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
