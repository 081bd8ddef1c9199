// Which record a device hands results to a function by: none, unless a .cu file compiled one.
#pragma once

#include "onefold/detail/level.hpp"
#include "onefold/row_problem.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The record of a function object that takes results of type T; null where it was not compiled for a device.
/// <onefold/cuda.cuh> has the others.
template <class Store, class T>
struct device_store_of {
  static constexpr const device_store* value = nullptr;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
