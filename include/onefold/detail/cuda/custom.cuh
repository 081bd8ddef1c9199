// The device's record of a user-defined operation, where nvcc compiles it.
#pragma once

#include "onefold/detail/cuda/device_operation.cuh"
#include "onefold/detail/cuda/make_device_fold.cuh"
#include "onefold/detail/make_recipe.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Calls each function of an operation, and is never launched: from a `__host__ __device__` function, as those that
/// fold are, nvcc silently drops a call of a host-only function, but not from a kernel.
template <class F, class T>
__global__ void needs_constexpr_functions(const F& f, const T& x, lane_state<F, T>& s, const tree_state<F, T>& t,
                                          const void* init) {
  s = f.identity();
  if constexpr (requires { f.lift(x, std::int64_t{}); })
    s = f.lift(x, std::int64_t{});
  else
    s = f.lift(x);
  if constexpr (requires { f.push(s, x); }) static_cast<void>(f.push(s, x));
  if constexpr (requires { f.push(s, x, std::int64_t{}); }) static_cast<void>(f.push(s, x, std::int64_t{}));
  if constexpr (requires { f.end_strip(s); }) static_cast<void>(f.end_strip(s));
  if constexpr (requires { f.with_count(s, 8); }) static_cast<void>(f.with_count(s, 8));
  if constexpr (has_total<F>) static_cast<void>(f.combine(f.close(s), t));
  if constexpr (requires { f.absorbing(t); }) static_cast<void>(f.absorbing(t));
  s = f.combine(s, s);
  using R = decltype(finished(f, t));
  if constexpr (can_start<F, T, R>) static_cast<void>(f.combine(f.start(*static_cast<const R*>(init)), t));
  if constexpr (requires { f.finish(t, std::int64_t{}); })
    static_cast<void>(f.finish(t, std::int64_t{}));
  else
    static_cast<void>(f.finish(t));
}

template <class F, class T>
requires std::is_class_v<F>
struct device_fold_of<F, T> {
  static_assert(device_operation<F, T>::checked);
  static_assert(&needs_constexpr_functions<F, T> != nullptr);
  static constexpr device_fold record = make_device_fold<F, T>();
  static constexpr const device_fold* value = &record;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
