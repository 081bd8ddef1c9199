// The kernels of an operation as text, for NVRTC: nothing that only the host needs is included here. Device functions
// are not marked as such in the text: NVRTC takes all functions for those.
#pragma once

#include "onefold/detail/cuda/columns.cuh"
#include "onefold/detail/cuda/device_operation.cuh"
#include "onefold/detail/cuda/pages.cuh"
#include "onefold/detail/cuda/rows.cuh"
#include "onefold/detail/cuda/scattered.cuh"
#include "onefold/detail/cuda/segments.cuh"
#include "onefold/version.hpp"
