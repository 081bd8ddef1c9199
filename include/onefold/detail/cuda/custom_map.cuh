// The device's record of a function of elements, where nvcc compiles it.
#pragma once

#include <string_view>
#include <type_traits>

#include "onefold/detail/cuda/map.cuh"
#include "onefold/detail/device_map_of.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Whether F is the closure of a `__host__ __device__` lambda.
template <class F>
constexpr bool is_device_closure() {
#ifdef __CUDACC_EXTENDED_LAMBDA__
  return __nv_is_extended_host_device_lambda_closure_type(F);
#else
  return false;
#endif
}

/// Whether F is, or is made of, the closure of another lambda, which a kernel's parameters cannot have. Both of nvcc's
/// compilers call it by a name of its own, and no trait tells.
template <class F>
constexpr bool has_host_closure() {
  const std::string_view name = __PRETTY_FUNCTION__;
  return name.find("<lambda(") != name.npos || name.find("lambda [") != name.npos;
}

/// Functions that a device can be given: objects that are copied as bytes, `__host__ __device__` lambdas, and pointers
/// to members that are data. What the library knows its module has compiled.
template <class F>
inline constexpr bool is_device_function = known_as<F> == known_function::none &&
                                           (is_device_closure<F>() || std::is_member_object_pointer_v<F> ||
                                            (std::is_class_v<F> && std::is_trivially_copyable_v<F> &&
                                             !has_host_closure<F>()));

template <class F, class T, class... X>
requires is_device_function<F>
struct device_map_of<F, T, const X*...> {
  static constexpr device_map record = {sizeof(device_map), launch_map<F, T, X...>, nullptr};
  static constexpr const device_map* value = &record;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
