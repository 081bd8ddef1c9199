// What an operation needs to run on a device.
#pragma once

#include "onefold/detail/fold_traits.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Says what operation F over elements T lacks for a device.
template <class F, class T>
struct device_operation {
  static_assert(
      !folds_packs<F, lane_value<F, T>>,
      "onefold: in a .cu file, and as text on a GPU, the state of an operation is a plain type, not a template "
      "over a number type");
  static_assert(
      sizeof(lane_state<F, T>) <= 4096 && sizeof(tree_state<F, T>) <= 4096,
      "onefold: on a GPU a state has at most 4096 bytes: the warps of a block hand theirs on in shared memory; "
      "for larger ones call the operation from a .cpp file with onefold/custom.hpp");
  static_assert(alignof(F) <= 16, "onefold: on a GPU an operation is aligned to at most 16 bytes");
  static constexpr bool checked = true;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
