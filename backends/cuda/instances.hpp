// The catalog's folds for the device: one table per element type, each made by its own compilation of fold.cu.
#pragma once

#include <cuda_runtime_api.h>

#include "onefold/catalog.hpp"
#include "onefold/device.hpp"
#include "onefold/row_request.hpp"

namespace onefold::cuda {

/// The folds of all operations over one element type. Signed integers lack those that their unsigned ones have, with
/// the same bits.
struct fold_table {
  device_fold rows[operations::size][accuracy_count];
};

template <class T>
const fold_table& folds_over();

/// The scans over one element type, of the operations that have a scan verb.
struct scan_table {
  device_scan rows[operations::size][accuracy_count];
};

template <class T>
const scan_table& scans_over();

/// Operations on rows of one element type. As for device_fold, scratch may have any contents, and `launch` returns a
/// cudaError_t; of device_launch it takes slots, stream and processors.
struct row_kernels {
  std::int64_t (*slot_bytes)(const row_request& what);
  int (*launch)(const device_launch& how, const row_request& what, const row_memory& memory);
};

/// Those of a floating-point type.
template <class T>
const row_kernels& rows_over();

/// Whether a kernel of this module can be loaded on the current device: cudaSuccess, or why not.
cudaError_t kernel_image();

}  // namespace onefold::cuda
