// The kernels of an operation as text, for NVRTC: nothing that only the host needs is included here.
#pragma once

#include "onefold/detail/cuda/columns.cuh"
#include "onefold/detail/cuda/device_operation.cuh"
#include "onefold/detail/cuda/pages.cuh"
#include "onefold/detail/cuda/rows.cuh"
#include "onefold/detail/cuda/scattered.cuh"
#include "onefold/detail/cuda/segments.cuh"
#include "onefold/detail/fold_layout.hpp"
#include "onefold/version.hpp"
