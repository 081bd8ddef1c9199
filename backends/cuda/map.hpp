// The library's own functions of elements, compiled for the device.
#pragma once

#include <span>

#include "onefold/map_request.hpp"

namespace onefold::cuda {

/// The record of a function that returns `result` for elements of these types; null where there is none.
const device_map* find_map(known_function function, dtype result, std::span<const dtype> arrays);

}  // namespace onefold::cuda
