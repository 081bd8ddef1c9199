// Fills in a device_fold: how a device folds arrays, shapes and segments and, where there is one, a ladder of other
// kernels.
#pragma once

#include "onefold/detail/cuda/shapes.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// How a device folds by pages, whatever the fold.
template <class F, class T>
struct page_strategy {
  static std::int64_t slot_bytes(std::int64_t n) { return page_slot_bytes(fold_layout_of<F, T>, n); }
  static int launch(const device_launch& how) { return launch_in_pages<F, T>(fold_object<F>(how.op), how.n, how); }
  static std::int64_t shape_slot_bytes(const problem& p) { return detail::shape_slot_bytes(fold_layout_of<F, T>, p); }
  static int launch_shape(const device_launch& how, const problem& p, std::int32_t distance) {
    return detail::launch_shape<F, T>(how, p, distance, launch_pages<F, T>);
  }
  static std::int64_t segment_slot_bytes(std::int64_t segments, std::int64_t elements) {
    return detail::segment_slot_bytes(fold_layout_of<F, T>, segments, elements);
  }
  static int launch_segments(const device_launch& how, const device_segments& s, std::int32_t distance) {
    return detail::launch_segments<F, T>(how, s, distance);
  }
};

/// How a device folds F over elements T. Folds of the catalog have other ways, in the module
/// (backends/cuda/strategies.cuh).
template <class F, class T>
struct device_strategy : page_strategy<F, T> {};
template <of_library F, class T>
struct device_strategy<F, T>;

/// No other kernels than the canonical one.
struct no_ladder {
  static const char* why_not(int) { return "a user-defined operation runs only on kernel canonical"; }
  static std::int64_t slot_bytes(std::int64_t, int) { return 0; }
  static int launch(const device_launch&) { return cudaErrorInvalidValue; }
};

inline bool is_canonical(int rung) { return rung <= static_cast<int>(kernel::canonical); }

template <class F, class T, class Ladder>
struct device_functions {
  using strategy = device_strategy<F, T>;
  static std::int64_t slot_bytes(const device_fold&, std::int64_t n, int rung) {
    return is_canonical(rung) ? strategy::slot_bytes(n) : Ladder::slot_bytes(n, rung);
  }
  static const char* why_not(const device_fold&, int rung) {
    return is_canonical(rung) ? nullptr : Ladder::why_not(rung);
  }
  static int launch(const device_fold&, const device_launch& how) {
    return is_canonical(how.rung) ? strategy::launch(how) : Ladder::launch(how);
  }
  static std::int64_t shape_slot_bytes(const device_fold&, const problem& p) { return strategy::shape_slot_bytes(p); }
  static int launch_shape(const device_fold&, const device_launch& how, const problem& p, std::int32_t distance) {
    return strategy::launch_shape(how, p, distance);
  }
  static std::int64_t segment_slot_bytes(const device_fold&, std::int64_t segments, std::int64_t elements) {
    return strategy::segment_slot_bytes(segments, elements);
  }
  static int launch_segments(const device_fold&, const device_launch& how, const device_segments& s,
                             std::int32_t distance) {
    return strategy::launch_segments(how, s, distance);
  }
};

/// The device's record of fold F over elements T.
template <class F, class T, class Ladder = no_ladder>
constexpr device_fold make_device_fold() {
  using functions = device_functions<F, T, Ladder>;
  return {.size = sizeof(device_fold),
          .layout = fold_layout_of<F, T>,
          .slot_bytes = functions::slot_bytes,
          .why_not = functions::why_not,
          .launch = functions::launch,
          .shape_slot_bytes = functions::shape_slot_bytes,
          .launch_shape = functions::launch_shape,
          .segment_slot_bytes = functions::segment_slot_bytes,
          .launch_segments = functions::launch_segments};
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
