// Fills in a device_fold: the canonical kernel and, where there is one, a ladder of others.
#pragma once

#include "onefold/detail/cuda/shapes.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// No other kernels than the canonical one.
struct no_ladder {
  static const char* why_not(int) { return "a user-defined operation runs only on kernel canonical"; }
  static std::int64_t slot_bytes(std::int64_t, int) { return 0; }
  static int launch(const device_launch&) { return cudaErrorInvalidValue; }
};

inline bool is_canonical(int rung) { return rung <= static_cast<int>(kernel::canonical); }

template <class F, class T, class Ladder>
struct device_functions {
  static std::int64_t slot_bytes(std::int64_t n, int rung) {
    return is_canonical(rung) ? canonical_slot_bytes<F, T>(n) : Ladder::slot_bytes(n, rung);
  }
  static const char* why_not(int rung) { return is_canonical(rung) ? nullptr : Ladder::why_not(rung); }
  static int launch(const device_launch& how) {
    return is_canonical(how.rung) ? launch_canonical<F, T>(how) : Ladder::launch(how);
  }
};

/// The device's record of fold F over elements T.
template <class F, class T, class Ladder = no_ladder>
constexpr device_fold make_device_fold() {
  using functions = device_functions<F, T, Ladder>;
  return {.size = sizeof(device_fold),
          .state_size = sizeof(tree_state<F, T>),
          .slot_bytes = functions::slot_bytes,
          .why_not = functions::why_not,
          .launch = functions::launch,
          .shape_slot_bytes = shape_slot_bytes<F, T>,
          .launch_shape = launch_shape<F, T>,
          .segment_slot_bytes = segment_slot_bytes<F, T>,
          .launch_segments = launch_segments<F, T>};
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
