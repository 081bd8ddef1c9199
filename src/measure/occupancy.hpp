// How well a kernel can fill a device.
#pragma once

#include <optional>

#include "measure/prepared.hpp"

namespace onefold::measure {

/// The theoretical occupancy of a reduction's first kernel: the share of a multiprocessor's threads that the kernel's
/// registers, shared memory and block size leave room for, from 0 to 1. `data` is in device memory. Nothing where the
/// reduction cannot be enqueued on a stream. Throws onefold::error where the device fails.
std::optional<double> theoretical_occupancy(prepared& reduction, arena& data, std::int64_t n);

}  // namespace onefold::measure
