// User-defined operations on the GPU: include this in a .cu file, instead of <onefold/custom.hpp>, where reduce or
// plan is called with one. The operation then runs on every backend, cuda among them, by the same calls.
//
// Its functions must be callable on the device: constexpr (with nvcc's --expt-relaxed-constexpr) or marked
// __host__ __device__. Compile the file with -fmad=false and -Xcompiler=-ffp-contract=off, so that a multiplication and
// an addition are not fused on one backend and separate on another; the CMake target onefold::custom does all of this.
// Use an operation from .cu files only, or from others only: its record is made where it is used.
#pragma once

#ifndef __CUDACC__
#error "onefold: <onefold/cuda.cuh> is for .cu files; other files take <onefold/custom.hpp>"
#endif

#include "onefold/detail/cuda/make_device_fold.cuh"
#include "onefold/detail/cuda/scan.cuh"
#include "onefold/detail/scan/make_scan.hpp"

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

template <class F, class T>
requires std::is_class_v<F>
struct device_scan_of<F, T> {
  static constexpr device_scan record = make_device_scan<F, T>();
  static constexpr const device_scan* value = &record;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail

#include "onefold/custom.hpp"
