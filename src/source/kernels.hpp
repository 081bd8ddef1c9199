// The kernels of operations as text: compiled by NVRTC, or from the cache, and loaded by the accelerator.
#pragma once

#include <functional>

#include "onefold/backend.hpp"
#include "onefold/detail/source_record.hpp"
#include "onefold/source_operation.hpp"

namespace onefold::detail {

/// What is reduced, which says what kernels it takes.
enum class kernel_set {
  array,     ///< a whole array
  shape,     ///< over some axes
  segments,  ///< segments, groups by key, selected elements
};

/// The record of an operation for an accelerator's devices, with the kernels of a set. `host` returns the operation's
/// record on the CPU: for whole arrays it is called after the kernels were compiled, else before. Throws
/// invalid_argument for what the compiler rejects, with its messages, and backend_unavailable where there is none.
const device_fold& load_kernels(const source_operation& operation, kernel_set set, const accelerator& on,
                                const std::function<const source_record&()>& host);

}  // namespace onefold::detail
