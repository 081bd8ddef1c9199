// The device's record of a function that takes results of row operations, where nvcc compiles it.
#pragma once

#include "onefold/detail/cuda/custom_map.cuh"
#include "onefold/detail/cuda/store.cuh"
#include "onefold/detail/device_store_of.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

template <class Store, class T>
requires is_device_function<Store>
struct device_store_of<Store, T> {
  static constexpr device_store record = {sizeof(device_store), launch_store<T, Store>};
  static constexpr const device_store* value = &record;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
