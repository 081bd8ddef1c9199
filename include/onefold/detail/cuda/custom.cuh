// The device's record of a user-defined operation, where nvcc compiles it.
#pragma once

#include "onefold/detail/cuda/make_device_fold.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

template <class F, class T>
requires std::is_class_v<F>
struct device_fold_of<F, T> {
  static_assert(!folds_packs<F, lane_value<F, T>>,
                "onefold: in a .cu file the state of an operation is a plain type, not a template over a number type");
  static_assert(
      sizeof(lane_state<F, T>) <= 4096 && sizeof(tree_state<F, T>) <= 4096,
      "onefold: on a GPU a state has at most 4096 bytes: the warps of a block hand theirs on in shared memory; "
      "for larger ones call the operation from a .cpp file with onefold/custom.hpp");
  static constexpr device_fold record = make_device_fold<F, T>();
  static constexpr const device_fold* value = &record;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
