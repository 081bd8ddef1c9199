// User-defined operations on the GPU: include this in a .cu file, instead of <onefold/custom.hpp>, where reduce or
// plan is called with one. The operation then runs on every backend, cuda among them, by the same calls.
//
// Its functions must be callable on the device: constexpr (with nvcc's --expt-relaxed-constexpr) or marked
// __host__ __device__. Compile the file with -fmad=false and -Xcompiler=-ffp-contract=off, so that a multiplication and
// an addition are not fused on one backend and separate on another; the CMake target onefold::custom does all of this.
// Use an operation from .cu files only, or from others only: its record is made where it is used.
//
// So do functions that compute elements (map_reduce, mapped) or take results (row operations): function objects,
// pointers to members that are data, and lambdas marked __host__ __device__, for which nvcc takes --extended-lambda.
// Another lambda, a pointer to a function, and what is not trivially copyable, run on CPUs only.
#pragma once

#ifndef __CUDACC__
#error "onefold: <onefold/cuda.cuh> is for .cu files; other files take <onefold/custom.hpp>"
#endif

#include "onefold/detail/cuda/custom.cuh"
#include "onefold/detail/cuda/custom_map.cuh"
#include "onefold/detail/cuda/custom_store.cuh"
#include "onefold/detail/cuda/scan.cuh"
#include "onefold/detail/scan/make_scan.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

template <class F, class T>
requires std::is_class_v<F>
struct device_scan_of<F, T> {
  static constexpr device_scan record = make_device_scan<F, T>();
  static constexpr const device_scan* value = &record;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail

#include "onefold/custom.hpp"
